// SPDX-License-Identifier: Apache-2.0
package bancada.shop.category;

import java.util.List;
import java.util.Optional;

import org.springframework.data.jpa.repository.JpaRepository;

import bancada.shop.Category;

public interface CategoryRepository extends JpaRepository<Category, Long> {

    List<Category> findAllByOrderById();

    Optional<Category> findByCode(String code);
}
