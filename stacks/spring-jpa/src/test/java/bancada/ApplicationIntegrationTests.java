// SPDX-License-Identifier: Apache-2.0
package bancada;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

/** What must work without a database, and does: none can be reached here. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "SQL_URL=")
@AutoConfigureRestTestClient
class ApplicationIntegrationTests {

    @Autowired
    private RestTestClient client;

    @Test
    void isUpOnceStarted() {
        client.get().uri("/health").exchange().expectStatus().isOk().expectBody().jsonPath("$.status").isEqualTo("UP");
    }

    @Test
    void sortsOverHttp() {
        client.post().uri("/sort").contentType(MediaType.APPLICATION_JSON).body("[3, 1, 2]").exchange()
                .expectStatus().isOk()
                .expectBody().json("[1, 2, 3]");
    }
}
