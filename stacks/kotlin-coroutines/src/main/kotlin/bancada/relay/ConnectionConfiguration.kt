// SPDX-License-Identifier: Apache-2.0
package bancada.relay

import org.springframework.boot.http.client.autoconfigure.reactive.ClientHttpConnectorBuilderCustomizer
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import reactor.netty.http.client.HttpClient
import reactor.netty.resources.ConnectionProvider
import java.time.Duration

const val MOST_CONNECTIONS = 2_000

/** What the scenario asks of connections to the central service and Boot has no property for. */
@Configuration(proxyBeanMethods = false)
class ConnectionConfiguration {

	@Bean
	fun connections() = ClientHttpConnectorBuilderCustomizer<ReactorClientHttpConnectorBuilder> { connector ->
		connector.withHttpClientFactory { HttpClient.create(pool()).disableRetry(true) }
	}

	/** Whoever finds no connection waits for one, for as long as it takes (zero) and with any number of others (-1). */
	private fun pool() =
		ConnectionProvider.builder("central-service")
			.maxConnections(MOST_CONNECTIONS)
			.pendingAcquireMaxCount(-1)
			.pendingAcquireTimeout(Duration.ZERO)
			.build()
}
