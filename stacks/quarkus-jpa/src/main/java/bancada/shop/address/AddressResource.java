// SPDX-License-Identifier: Apache-2.0
package bancada.shop.address;

import java.util.List;

import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

import bancada.shop.Address;
import bancada.shop.Customer;
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

@Path("/addresses")
@Produces(MediaType.APPLICATION_JSON)
class AddressResource {

    private final AddressRepository addresses;
    private final CustomerRepository customers;

    AddressResource(AddressRepository addresses, CustomerRepository customers) {
        this.addresses = addresses;
        this.customers = customers;
    }

    @GET
    public List<AddressResponse> list() {
        return addresses.listWithCustomer().stream().map(AddressResponse::of).toList();
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(StatusCode.CREATED)
    @Transactional
    public AddressResponse insert(@NotNull @Valid AddressRequest request) {
        Customer customer = customers.findByCode(request.customer())
                .orElseThrow(() -> new UnknownParentException("customer", request.customer()));
        Address address = new Address(customer, request.street(), request.city());
        addresses.persist(address);
        return AddressResponse.of(address);
    }
}
