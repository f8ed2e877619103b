// SPDX-License-Identifier: Apache-2.0
package bancada.shop.category;

import bancada.shop.validation.Code;
import bancada.shop.validation.Text;

record CategoryRequest(@Code String code, @Text String name) {
}
