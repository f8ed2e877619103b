// SPDX-License-Identifier: Apache-2.0
package bancada.shop.product;

import java.util.List;
import java.util.Optional;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

import bancada.shop.Product;

public interface ProductRepository extends JpaRepository<Product, Long> {

    @Query("select p from Product p join fetch p.category order by p.id")
    List<Product> findAllWithCategory();

    Optional<Product> findByCode(String code);
}
