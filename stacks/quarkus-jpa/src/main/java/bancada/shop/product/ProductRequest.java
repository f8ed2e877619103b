// SPDX-License-Identifier: Apache-2.0
package bancada.shop.product;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;

import bancada.shop.validation.Code;
import bancada.shop.validation.Text;

record ProductRequest(
        @Code String code,
        @Text String name,
        @NotNull @PositiveOrZero Integer priceCents,
        @Code String category) {
}
