// SPDX-License-Identifier: Apache-2.0
package bancada.relay

import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty
import org.springframework.http.HttpStatus
import org.springframework.stereotype.Component
import org.springframework.web.reactive.function.client.ClientResponse
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.awaitBodyOrNull

/** Asks the central service, whose address is in the environment as UPSTREAM_URL. */
@Component
@ConditionalOnProperty("upstream.url")
class CentralService(builder: WebClient.Builder, @Value("\${upstream.url}") url: String) {

	private val client = builder.baseUrl(url).build()

	/** Suspends until the answer is here; throws WebClientException unless it is one with status 200. */
	suspend fun ask(): ByteArray =
		client.get()
			.uri("/")
			.retrieve()
			.onStatus({ !it.isSameCodeAs(HttpStatus.OK) }, ClientResponse::createException)
			.awaitBodyOrNull() ?: ByteArray(0)
}
