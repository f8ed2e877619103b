// SPDX-License-Identifier: Apache-2.0
package bancada.shop.customer;

import java.util.List;

import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

import bancada.shop.Customer;
import io.quarkus.panache.common.Sort;
import jakarta.transaction.Transactional;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

@Path("/customers")
@Produces(MediaType.APPLICATION_JSON)
class CustomerResource {

    private final CustomerRepository customers;

    CustomerResource(CustomerRepository customers) {
        this.customers = customers;
    }

    @GET
    public List<CustomerResponse> list() {
        return customers.listAll(Sort.by("id")).stream().map(CustomerResponse::of).toList();
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(StatusCode.CREATED)
    @Transactional
    public CustomerResponse insert(@NotNull @Valid CustomerRequest request) {
        Customer customer = new Customer(request.code(), request.name());
        customers.persist(customer);
        return CustomerResponse.of(customer);
    }
}
