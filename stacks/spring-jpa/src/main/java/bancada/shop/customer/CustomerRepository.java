// SPDX-License-Identifier: Apache-2.0
package bancada.shop.customer;

import java.util.List;
import java.util.Optional;

import org.springframework.data.jpa.repository.JpaRepository;

import bancada.shop.Customer;

public interface CustomerRepository extends JpaRepository<Customer, Long> {

    List<Customer> findAllByOrderById();

    Optional<Customer> findByCode(String code);
}
