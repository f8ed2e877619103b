// SPDX-License-Identifier: Apache-2.0
package bancada.shop.address;

import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import bancada.shop.Address;
import bancada.shop.Customer;
import bancada.shop.UnknownParentException;
import bancada.shop.customer.CustomerRepository;

@Service
class AddressService {

    private final AddressRepository addresses;
    private final CustomerRepository customers;

    AddressService(AddressRepository addresses, CustomerRepository customers) {
        this.addresses = addresses;
        this.customers = customers;
    }

    @Transactional(readOnly = true)
    List<AddressResponse> list() {
        return addresses.findAllWithCustomer().stream().map(AddressResponse::of).toList();
    }

    @Transactional
    AddressResponse insert(AddressRequest request) {
        Customer customer = customers.findByCode(request.customer())
                .orElseThrow(() -> new UnknownParentException("customer", request.customer()));
        return AddressResponse.of(addresses.save(new Address(customer, request.street(), request.city())));
    }
}
