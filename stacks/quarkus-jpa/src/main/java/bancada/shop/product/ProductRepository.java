// SPDX-License-Identifier: Apache-2.0
package bancada.shop.product;

import java.util.List;
import java.util.Optional;

import bancada.shop.Product;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class ProductRepository implements PanacheRepository<Product> {

    List<Product> listWithCategory() {
        return list("from Product p join fetch p.category order by p.id");
    }

    public Optional<Product> findByCode(String code) {
        return find("code", code).singleResultOptional();
    }
}
