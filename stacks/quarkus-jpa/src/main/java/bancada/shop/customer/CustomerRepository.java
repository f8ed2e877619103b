// SPDX-License-Identifier: Apache-2.0
package bancada.shop.customer;

import java.util.Optional;

import bancada.shop.Customer;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class CustomerRepository implements PanacheRepository<Customer> {

    public Optional<Customer> findByCode(String code) {
        return find("code", code).singleResultOptional();
    }
}
