// SPDX-License-Identifier: Apache-2.0
package bancada.shop.item;

import bancada.shop.Item;

record ItemResponse(Long id, String order, String product, int quantity) {

    static ItemResponse of(Item item) {
        return new ItemResponse(
                item.getId(),
                item.getOrder().getCode(),
                item.getProduct().getCode(),
                item.getQuantity());
    }
}
