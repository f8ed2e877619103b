// SPDX-License-Identifier: Apache-2.0
package bancada.shop.item;

import java.util.List;

import bancada.shop.Item;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class ItemRepository implements PanacheRepository<Item> {

    List<Item> listWithOrderAndProduct() {
        return list("from Item i join fetch i.order join fetch i.product order by i.id");
    }
}
