// SPDX-License-Identifier: Apache-2.0
package bancada.shop.order;

import java.util.List;

import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

import bancada.shop.Customer;
import bancada.shop.Order;
import bancada.shop.UnknownParentException;
import bancada.shop.customer.CustomerRepository;
import jakarta.transaction.Transactional;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

@Path("/orders")
@Produces(MediaType.APPLICATION_JSON)
class OrderResource {

    private final OrderRepository orders;
    private final CustomerRepository customers;

    OrderResource(OrderRepository orders, CustomerRepository customers) {
        this.orders = orders;
        this.customers = customers;
    }

    @GET
    public List<OrderResponse> list() {
        return orders.listWithCustomer().stream().map(OrderResponse::of).toList();
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(StatusCode.CREATED)
    @Transactional
    public OrderResponse insert(@NotNull @Valid OrderRequest request) {
        Customer customer = customers.findByCode(request.customer())
                .orElseThrow(() -> new UnknownParentException("customer", request.customer()));
        Order order = new Order(request.code(), customer);
        orders.persist(order);
        return OrderResponse.of(order);
    }
}
