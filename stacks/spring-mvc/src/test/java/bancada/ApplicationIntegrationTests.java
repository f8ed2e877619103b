// SPDX-License-Identifier: Apache-2.0
package bancada;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureRestTestClient
class ApplicationIntegrationTests {

	@Autowired
	private RestTestClient client;

	@Test
	void isUpOnceStarted() {
		this.client.get().uri("/health").exchange().expectStatus().isOk().expectBody().jsonPath("$.status").isEqualTo("UP");
	}

	@Test
	void startsWithoutACentralServiceAndThenHasNothingToRelay() {
		this.client.get().uri("/").exchange().expectStatus().isNotFound();
	}

	@Test
	void sortsOverHttp() {
		this.client.post().uri("/sort").contentType(MediaType.APPLICATION_JSON).body("[3, 1, 2]").exchange()
			.expectStatus().isOk()
			.expectBody().json("[1, 2, 3]");
	}

}
