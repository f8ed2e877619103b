// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Over HTTP on both sides: a small central service behind, whose next answer a test decides. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureRestTestClient
class RelayTests {

	/** Neither plain ASCII nor well-formed UTF-8, and with line ends of both kinds. */
	private static final byte[] PAGE = "<p>coração ÿ\r\n\n</p>\n".getBytes(StandardCharsets.ISO_8859_1);

	private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();

	private static final AtomicInteger ASKED = new AtomicInteger();

	private static final HttpServer CENTRAL_SERVICE = centralService();

	private static volatile Answer answer;

	@Autowired
	private RestTestClient client;

	@LocalServerPort
	private int port;

	@DynamicPropertySource
	static void address(DynamicPropertyRegistry registry) {
		registry.add("upstream.url", () -> "http://127.0.0.1:" + CENTRAL_SERVICE.getAddress().getPort());
	}

	@AfterAll
	static void stop() {
		CENTRAL_SERVICE.stop(0);
		THREADS.close();
	}

	@BeforeEach
	void reset() {
		ASKED.set(0);
		answer = exchange -> send(exchange, 200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/async" })
	void handsOnEveryByteAndAsksOnce(String path) {
		this.client.get().uri(path).exchange()
			.expectStatus().isOk()
			.expectHeader().contentType("text/html;charset=UTF-8")
			.expectBody(byte[].class).isEqualTo(PAGE);
		assertThat(ASKED).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 201, 302, 404, 429, 500, 503 })
	void answersBadGatewayIfTheCentralServiceAnswersOtherwiseThan200(int status) {
		answer = exchange -> {
			exchange.getResponseHeaders().add("Location", "/elsewhere");
			send(exchange, status);
		};
		assertBadGateway("/");
		assertBadGateway("/async");
		assertThat(ASKED).as("neither tried again nor redirected").hasValue(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/async" })
	void answersBadGatewayIfTheCentralServiceHangsUp(String path) {
		answer = HttpExchange::close;
		assertBadGateway(path);
		assertThat(ASKED).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/async" })
	void answersBadGatewayIfTheCentralServiceStopsInTheMiddle(String path) {
		answer = exchange -> {
			exchange.sendResponseHeaders(200, PAGE.length + 1);
			exchange.getResponseBody().write(PAGE);
			exchange.getResponseBody().flush();
			exchange.close();
		};
		assertBadGateway(path);
		assertThat(ASKED).hasValue(1);
	}

	/** As many as Tomcat has threads; supplyAsync's own pool would have a thread for each CPU but one. */
	@Test
	void waitsForManyAnswersAtOnce() {
		answer = exchange -> {
			sleep(Duration.ofMillis(500));
			send(exchange, 200);
		};
		var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + "/async")).build();
		try (var http = HttpClient.newHttpClient()) {
			var answers = IntStream.range(0, 200)
				.mapToObj(number -> http.sendAsync(request, BodyHandlers.discarding()))
				.toList();
			assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
				.succeedsWithin(Duration.ofSeconds(10));
			assertThat(answers).allMatch(each -> each.join().statusCode() == 200);
		}
		assertThat(ASKED).hasValue(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/async" })
	void refusesAnotherMethod(String path) {
		this.client.post().uri(path).exchange()
			.expectStatus().isEqualTo(HttpStatus.METHOD_NOT_ALLOWED)
			.expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON);
		assertThat(ASKED).hasValue(0);
	}

	private void assertBadGateway(String path) {
		this.client.get().uri(path).exchange()
			.expectStatus().isEqualTo(HttpStatus.BAD_GATEWAY)
			.expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.status").isEqualTo(502)
			.jsonPath("$.detail").isNotEmpty();
	}

	private static HttpServer centralService() {
		try {
			var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
			server.setExecutor(THREADS);
			server.createContext("/", exchange -> {
				ASKED.incrementAndGet();
				answer.to(exchange);
			});
			server.start();
			return server;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void send(HttpExchange exchange, int status) throws IOException {
		exchange.sendResponseHeaders(status, PAGE.length);
		exchange.getResponseBody().write(PAGE);
		exchange.close();
	}

	private static void sleep(Duration duration) {
		try {
			Thread.sleep(duration);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private interface Answer {

		void to(HttpExchange exchange) throws IOException;

	}

}
