// SPDX-License-Identifier: Apache-2.0
package bancada.shop.order;

import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import bancada.shop.Customer;
import bancada.shop.Order;
import bancada.shop.UnknownParentException;
import bancada.shop.customer.CustomerRepository;

@Service
class OrderService {

    private final OrderRepository orders;
    private final CustomerRepository customers;

    OrderService(OrderRepository orders, CustomerRepository customers) {
        this.orders = orders;
        this.customers = customers;
    }

    @Transactional(readOnly = true)
    List<OrderResponse> list() {
        return orders.findAllWithCustomer().stream().map(OrderResponse::of).toList();
    }

    @Transactional
    OrderResponse insert(OrderRequest request) {
        Customer customer = customers.findByCode(request.customer())
                .orElseThrow(() -> new UnknownParentException("customer", request.customer()));
        return OrderResponse.of(orders.save(new Order(request.code(), customer)));
    }
}
