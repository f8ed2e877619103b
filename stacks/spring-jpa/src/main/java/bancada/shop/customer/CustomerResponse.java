// SPDX-License-Identifier: Apache-2.0
package bancada.shop.customer;

import bancada.shop.Customer;

record CustomerResponse(Long id, String code, String name) {

    static CustomerResponse of(Customer customer) {
        return new CustomerResponse(customer.getId(), customer.getCode(), customer.getName());
    }
}
