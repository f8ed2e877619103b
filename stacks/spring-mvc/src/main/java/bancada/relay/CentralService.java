// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** Asks the central service, whose address is in the environment as UPSTREAM_URL. */
@Component
@ConditionalOnProperty("upstream.url")
class CentralService {

	private final RestClient client;

	CentralService(RestClient.Builder builder, @Value("${upstream.url}") String url) {
		this.client = builder.baseUrl(url).build();
	}

	/** Blocks the calling thread until the answer is here; throws RestClientException unless it is one with status 200. */
	byte[] ask() {
		return this.client.get()
			.uri("/")
			.retrieve()
			.onStatus(status -> !status.isSameCodeAs(HttpStatus.OK), (request, response) -> {
				throw new RestClientException("The central service answered " + response.getStatusCode());
			})
			.body(byte[].class);
	}

}
