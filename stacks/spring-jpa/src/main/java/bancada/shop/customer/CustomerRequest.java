// SPDX-License-Identifier: Apache-2.0
package bancada.shop.customer;

import bancada.shop.validation.Code;
import bancada.shop.validation.Text;

record CustomerRequest(@Code String code, @Text String name) {
}
