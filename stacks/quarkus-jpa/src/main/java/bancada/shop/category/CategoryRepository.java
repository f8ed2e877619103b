// SPDX-License-Identifier: Apache-2.0
package bancada.shop.category;

import java.util.Optional;

import bancada.shop.Category;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class CategoryRepository implements PanacheRepository<Category> {

    public Optional<Category> findByCode(String code) {
        return find("code", code).singleResultOptional();
    }
}
