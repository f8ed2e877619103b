// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class RelayOnWorkerThreadsTest extends RelayTest {
}
