// SPDX-License-Identifier: Apache-2.0
package bancada.shop.address;

import java.util.List;

import bancada.shop.Address;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class AddressRepository implements PanacheRepository<Address> {

    List<Address> listWithCustomer() {
        return list("from Address a join fetch a.customer order by a.id");
    }
}
