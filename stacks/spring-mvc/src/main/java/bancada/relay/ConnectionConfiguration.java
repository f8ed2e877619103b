// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.core5.util.Timeout;

import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the scenario asks of connections to the central service and Boot has no property for. */
@Configuration(proxyBeanMethods = false)
class ConnectionConfiguration {

	private static final int MOST_CONNECTIONS = 2_000;

	/** For a connection that is free; the library takes zero for "not at all", so "as long as it takes" is a day. */
	private static final Timeout WAIT = Timeout.ofDays(1);

	@Bean
	ClientHttpRequestFactoryBuilderCustomizer<HttpComponentsClientHttpRequestFactoryBuilder> connections() {
		return factory -> factory
			.withConnectionManagerCustomizer(
					pool -> pool.setMaxConnTotal(MOST_CONNECTIONS).setMaxConnPerRoute(MOST_CONNECTIONS))
			.withDefaultRequestConfigCustomizer(request -> request.setConnectionRequestTimeout(WAIT))
			.withHttpClientCustomizer(ConnectionConfiguration::oneRequestEach);
	}

	/** One request in, one request out; and the bytes as they are. */
	private static void oneRequestEach(HttpClientBuilder client) {
		client.disableAutomaticRetries().disableCookieManagement().disableContentCompression();
	}

}
