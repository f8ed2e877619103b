// SPDX-License-Identifier: Apache-2.0
package bancada.shop.order;

import bancada.shop.validation.Code;

record OrderRequest(@Code String code, @Code String customer) {
}
