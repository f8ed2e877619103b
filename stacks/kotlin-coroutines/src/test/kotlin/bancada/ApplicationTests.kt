// SPDX-License-Identifier: Apache-2.0
package bancada

import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient
import org.springframework.http.MediaType
import org.springframework.test.web.reactive.server.WebTestClient

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureWebTestClient
class ApplicationTests(@Autowired private val client: WebTestClient) {

	@Test
	fun `is up once started`() {
		client.get().uri("/health").exchange().expectStatus().isOk.expectBody().jsonPath("$.status").isEqualTo("UP")
	}

	@Test
	fun `starts without a central service and then has nothing to relay`() {
		client.get().uri("/").exchange()
			.expectStatus().isNotFound
			.expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON)
	}
}
