// SPDX-License-Identifier: Apache-2.0
package bancada.shop.product;

import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import bancada.shop.Category;
import bancada.shop.Product;
import bancada.shop.UnknownParentException;
import bancada.shop.category.CategoryRepository;

@Service
class ProductService {

    private final ProductRepository products;
    private final CategoryRepository categories;

    ProductService(ProductRepository products, CategoryRepository categories) {
        this.products = products;
        this.categories = categories;
    }

    @Transactional(readOnly = true)
    List<ProductResponse> list() {
        return products.findAllWithCategory().stream().map(ProductResponse::of).toList();
    }

    @Transactional
    ProductResponse insert(ProductRequest request) {
        Category category = categories.findByCode(request.category())
                .orElseThrow(() -> new UnknownParentException("category", request.category()));
        Product product = new Product(request.code(), request.name(), request.priceCents(), category);
        return ProductResponse.of(products.save(product));
    }
}
