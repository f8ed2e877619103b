// SPDX-License-Identifier: Apache-2.0
package bancada.shop.item;

import java.util.List;

import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

import bancada.shop.Item;
import bancada.shop.Order;
import bancada.shop.Product;
import bancada.shop.UnknownParentException;
import bancada.shop.order.OrderRepository;
import bancada.shop.product.ProductRepository;
import jakarta.transaction.Transactional;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

@Path("/items")
@Produces(MediaType.APPLICATION_JSON)
class ItemResource {

    private final ItemRepository items;
    private final OrderRepository orders;
    private final ProductRepository products;

    ItemResource(ItemRepository items, OrderRepository orders, ProductRepository products) {
        this.items = items;
        this.orders = orders;
        this.products = products;
    }

    @GET
    public List<ItemResponse> list() {
        return items.listWithOrderAndProduct().stream().map(ItemResponse::of).toList();
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(StatusCode.CREATED)
    @Transactional
    public ItemResponse insert(@NotNull @Valid ItemRequest request) {
        Order order = orders.findByCode(request.order())
                .orElseThrow(() -> new UnknownParentException("order", request.order()));
        Product product = products.findByCode(request.product())
                .orElseThrow(() -> new UnknownParentException("product", request.product()));
        Item item = new Item(order, product, request.quantity());
        items.persist(item);
        return ItemResponse.of(item);
    }
}
