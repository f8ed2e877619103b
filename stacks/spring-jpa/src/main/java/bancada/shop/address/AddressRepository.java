// SPDX-License-Identifier: Apache-2.0
package bancada.shop.address;

import java.util.List;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

import bancada.shop.Address;

interface AddressRepository extends JpaRepository<Address, Long> {

    @Query("select a from Address a join fetch a.customer order by a.id")
    List<Address> findAllWithCustomer();
}
