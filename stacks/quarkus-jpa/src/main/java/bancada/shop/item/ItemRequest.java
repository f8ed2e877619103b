// SPDX-License-Identifier: Apache-2.0
package bancada.shop.item;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import bancada.shop.validation.Code;

record ItemRequest(@Code String order, @Code String product, @NotNull @Min(1) @Max(1000) Integer quantity) {
}
