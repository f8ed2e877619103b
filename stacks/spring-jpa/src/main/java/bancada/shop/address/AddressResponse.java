// SPDX-License-Identifier: Apache-2.0
package bancada.shop.address;

import bancada.shop.Address;

record AddressResponse(Long id, String customer, String street, String city) {

    static AddressResponse of(Address address) {
        return new AddressResponse(
                address.getId(),
                address.getCustomer().getCode(),
                address.getStreet(),
                address.getCity());
    }
}
