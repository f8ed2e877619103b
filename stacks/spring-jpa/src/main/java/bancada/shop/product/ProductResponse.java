// SPDX-License-Identifier: Apache-2.0
package bancada.shop.product;

import bancada.shop.Product;

record ProductResponse(Long id, String code, String name, int priceCents, String category) {

    static ProductResponse of(Product product) {
        return new ProductResponse(
                product.getId(),
                product.getCode(),
                product.getName(),
                product.getPriceCents(),
                product.getCategory().getCode());
    }
}
