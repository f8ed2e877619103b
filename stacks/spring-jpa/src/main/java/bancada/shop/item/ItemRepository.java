// SPDX-License-Identifier: Apache-2.0
package bancada.shop.item;

import java.util.List;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

import bancada.shop.Item;

interface ItemRepository extends JpaRepository<Item, Long> {

    @Query("select i from Item i join fetch i.order join fetch i.product order by i.id")
    List<Item> findAllWithOrderAndProduct();
}
