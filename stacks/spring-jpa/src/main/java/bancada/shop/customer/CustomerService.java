// SPDX-License-Identifier: Apache-2.0
package bancada.shop.customer;

import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import bancada.shop.Customer;

@Service
class CustomerService {

    private final CustomerRepository customers;

    CustomerService(CustomerRepository customers) {
        this.customers = customers;
    }

    @Transactional(readOnly = true)
    List<CustomerResponse> list() {
        return customers.findAllByOrderById().stream().map(CustomerResponse::of).toList();
    }

    @Transactional
    CustomerResponse insert(CustomerRequest request) {
        return CustomerResponse.of(customers.save(new Customer(request.code(), request.name())));
    }
}
