// SPDX-License-Identifier: Apache-2.0
package bancada.relay

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment
import org.springframework.boot.test.web.server.LocalServerPort
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType
import org.springframework.test.context.DynamicPropertyRegistry
import org.springframework.test.context.DynamicPropertySource
import org.springframework.test.web.reactive.server.WebTestClient
import org.springframework.test.web.reactive.server.expectBody
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import kotlin.test.assertEquals
import kotlin.time.Duration.Companion.seconds

/** Neither plain ASCII nor well-formed UTF-8, and with line ends of both kinds. */
private val PAGE = "<p>coração ÿ\r\n\n</p>\n".toByteArray(Charsets.ISO_8859_1)

/** Over HTTP on both sides: a small central service behind, whose next answer a test decides. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureWebTestClient
class RelayTests(@Autowired private val client: WebTestClient, @LocalServerPort private val port: Int) {

	companion object {

		private val asked = AtomicInteger()

		@Volatile
		private var answer: (HttpExchange) -> Unit = {}

		private val threads = Executors.newVirtualThreadPerTaskExecutor()

		private val centralService = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512).apply {
			executor = threads
			createContext("/") {
				asked.incrementAndGet()
				answer(it)
			}
			start()
		}

		@JvmStatic
		@DynamicPropertySource
		fun address(registry: DynamicPropertyRegistry) =
			registry.add("upstream.url") { "http://127.0.0.1:${centralService.address.port}" }

		@JvmStatic
		@AfterAll
		fun stop() {
			centralService.stop(0)
			threads.close()
		}
	}

	@BeforeEach
	fun reset() {
		asked.set(0)
		answer = { it.send(200) }
	}

	@ParameterizedTest
	@ValueSource(strings = ["/", "/async"])
	fun `hands on every byte and asks once`(path: String) {
		client.get().uri(path).exchange()
			.expectStatus().isOk
			.expectHeader().contentType("text/html;charset=UTF-8")
			.expectBody<ByteArray>().isEqualTo(PAGE)
		assertEquals(1, asked.get())
	}

	@ParameterizedTest
	@ValueSource(ints = [201, 302, 404, 429, 500, 503])
	fun `answers 502 if the central service answers otherwise than 200`(status: Int) {
		answer = {
			it.responseHeaders.add("Location", "/elsewhere")
			it.send(status)
		}
		assertBadGateway("/")
		assertBadGateway("/async")
		assertEquals(2, asked.get(), "neither tried again nor redirected")
	}

	@ParameterizedTest
	@ValueSource(strings = ["/", "/async"])
	fun `answers 502 if the central service hangs up`(path: String) {
		answer = HttpExchange::close
		assertBadGateway(path)
		assertEquals(1, asked.get())
	}

	@ParameterizedTest
	@ValueSource(strings = ["/", "/async"])
	fun `answers 502 if the central service stops in the middle`(path: String) {
		answer = {
			it.sendResponseHeaders(200, PAGE.size + 1L)
			it.responseBody.write(PAGE)
			it.responseBody.flush()
			it.close()
		}
		assertBadGateway(path)
		assertEquals(1, asked.get())
	}

	@Test
	fun `waits for many answers at once`() = runBlocking {
		answer = {
			Thread.sleep(500)
			it.send(200)
		}
		val request = HttpRequest.newBuilder(URI("http://127.0.0.1:$port/async")).build()
		val http = HttpClient.newHttpClient()
		val statuses = withTimeout(5.seconds) {
			List(200) { http.sendAsync(request, BodyHandlers.discarding()) }.map { it.await().statusCode() }
		}
		assertEquals(List(200) { 200 }, statuses)
		assertEquals(200, asked.get())
	}

	@ParameterizedTest
	@ValueSource(strings = ["/", "/async"])
	fun `refuses another method`(path: String) {
		client.post().uri(path).exchange()
			.expectStatus().isEqualTo(HttpStatus.METHOD_NOT_ALLOWED)
			.expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON)
		assertEquals(0, asked.get())
	}

	private fun assertBadGateway(path: String) {
		client.get().uri(path).exchange()
			.expectStatus().isEqualTo(HttpStatus.BAD_GATEWAY)
			.expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.status").isEqualTo(502)
			.jsonPath("$.detail").isNotEmpty
	}

	private fun HttpExchange.send(status: Int) {
		sendResponseHeaders(status, PAGE.size.toLong())
		responseBody.write(PAGE)
		close()
	}
}
