// SPDX-License-Identifier: Apache-2.0
package bancada.shop.address;

import bancada.shop.validation.Code;
import bancada.shop.validation.Text;

record AddressRequest(@Code String customer, @Text String street, @Text String city) {
}
