// SPDX-License-Identifier: Apache-2.0
package bancada.shop.category;

import bancada.shop.Category;

record CategoryResponse(Long id, String code, String name) {

    static CategoryResponse of(Category category) {
        return new CategoryResponse(category.getId(), category.getCode(), category.getName());
    }
}
