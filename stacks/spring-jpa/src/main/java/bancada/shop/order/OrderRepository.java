// SPDX-License-Identifier: Apache-2.0
package bancada.shop.order;

import java.util.List;
import java.util.Optional;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

import bancada.shop.Order;

public interface OrderRepository extends JpaRepository<Order, Long> {

    @Query("select o from Order o join fetch o.customer order by o.id")
    List<Order> findAllWithCustomer();

    Optional<Order> findByCode(String code);
}
