// SPDX-License-Identifier: Apache-2.0
package bancada.problem;

/** Problem details (RFC 9457). */
record Problem(String title, int status, String detail) {
}
