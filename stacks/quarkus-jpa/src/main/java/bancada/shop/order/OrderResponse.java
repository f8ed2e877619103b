// SPDX-License-Identifier: Apache-2.0
package bancada.shop.order;

import bancada.shop.Order;

record OrderResponse(Long id, String code, String customer) {

    static OrderResponse of(Order order) {
        return new OrderResponse(order.getId(), order.getCode(), order.getCustomer().getCode());
    }
}
