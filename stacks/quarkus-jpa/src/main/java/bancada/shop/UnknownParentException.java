// SPDX-License-Identifier: Apache-2.0
package bancada.shop;

/** A request names a parent, by its code, that is not there. */
public class UnknownParentException extends RuntimeException {

    public UnknownParentException(String parent, String code) {
        super("There is no " + parent + " " + code);
    }
}
