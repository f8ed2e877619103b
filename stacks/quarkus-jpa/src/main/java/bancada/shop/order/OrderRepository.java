// SPDX-License-Identifier: Apache-2.0
package bancada.shop.order;

import java.util.List;
import java.util.Optional;

import bancada.shop.Order;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class OrderRepository implements PanacheRepository<Order> {

    List<Order> listWithCustomer() {
        return list("from Order o join fetch o.customer order by o.id");
    }

    public Optional<Order> findByCode(String code) {
        return find("code", code).singleResultOptional();
    }
}
