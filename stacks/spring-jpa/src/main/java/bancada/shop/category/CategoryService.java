// SPDX-License-Identifier: Apache-2.0
package bancada.shop.category;

import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import bancada.shop.Category;

@Service
class CategoryService {

    private final CategoryRepository categories;

    CategoryService(CategoryRepository categories) {
        this.categories = categories;
    }

    @Transactional(readOnly = true)
    List<CategoryResponse> list() {
        return categories.findAllByOrderById().stream().map(CategoryResponse::of).toList();
    }

    @Transactional
    CategoryResponse insert(CategoryRequest request) {
        return CategoryResponse.of(categories.save(new Category(request.code(), request.name())));
    }
}
