// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import java.util.Map;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;

@QuarkusTest
@TestProfile(RelayOnEventLoopTest.Variant.class)
class RelayOnEventLoopTest extends RelayTest {

    public static class Variant implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("relay.runs-on", "event-loop");
        }
    }
}
