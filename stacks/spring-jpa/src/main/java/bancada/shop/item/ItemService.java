// SPDX-License-Identifier: Apache-2.0
package bancada.shop.item;

import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import bancada.shop.Item;
import bancada.shop.Order;
import bancada.shop.Product;
import bancada.shop.UnknownParentException;
import bancada.shop.order.OrderRepository;
import bancada.shop.product.ProductRepository;

@Service
class ItemService {

    private final ItemRepository items;
    private final OrderRepository orders;
    private final ProductRepository products;

    ItemService(ItemRepository items, OrderRepository orders, ProductRepository products) {
        this.items = items;
        this.orders = orders;
        this.products = products;
    }

    @Transactional(readOnly = true)
    List<ItemResponse> list() {
        return items.findAllWithOrderAndProduct().stream().map(ItemResponse::of).toList();
    }

    @Transactional
    ItemResponse insert(ItemRequest request) {
        Order order = orders.findByCode(request.order())
                .orElseThrow(() -> new UnknownParentException("order", request.order()));
        Product product = products.findByCode(request.product())
                .orElseThrow(() -> new UnknownParentException("product", request.product()));
        return ItemResponse.of(items.save(new Item(order, product, request.quantity())));
    }
}
