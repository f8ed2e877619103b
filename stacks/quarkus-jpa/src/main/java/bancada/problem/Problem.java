// SPDX-License-Identifier: Apache-2.0
package bancada.problem;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** Problem details (RFC 9457). */
// Quarkus finds by itself what resources answer with, but not what exception mappers do.
@RegisterForReflection
record Problem(String title, int status, String detail) {
}
