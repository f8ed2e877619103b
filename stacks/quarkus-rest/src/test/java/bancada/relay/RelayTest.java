// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;

import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.restassured.http.ContentType;

/** What all variants do alike; a subclass for each tells Quarkus which of them to build. */
@WithTestResource(SmallCentralService.class)
abstract class RelayTest {

    private static final byte[] PAGE = "<p>Central de relações: überall, всюду, 到処</p>\n".repeat(120)
            .getBytes(StandardCharsets.UTF_8);
    private static final int FAR_MORE_THAN_WORKER_THREADS = 500;
    private static final Duration LONG_ENOUGH_FOR_ALL_TO_ASK = Duration.ofMillis(500);

    HttpServer centralService;

    @TestHTTPResource("/async")
    URI async;

    private volatile HttpHandler answer = RelayTest::page;

    @BeforeEach
    void listen() {
        centralService.createContext("/", exchange -> {
            try (exchange) {
                answer.handle(exchange);
            }
        });
    }

    @AfterEach
    void listenNoMore() {
        centralService.removeContext("/");
    }

    @ParameterizedTest
    @ValueSource(strings = { "/", "/async" })
    void passesThePageOnByteForByte(String path) {
        var response = when().get(path).then().statusCode(200).extract();

        assertEquals("text/html;charset=UTF-8", response.contentType());
        assertArrayEquals(PAGE, response.asByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = { "/", "/async" })
    void passesAnEmptyPageOn(String path) {
        answer = exchange -> exchange.sendResponseHeaders(200, -1);

        assertEquals(0, when().get(path).then().statusCode(200).extract().asByteArray().length);
    }

    @ParameterizedTest
    @CsvSource({ "/, 204", "/, 302", "/, 404", "/, 503", "/async, 204", "/async, 302", "/async, 404", "/async, 503" })
    void answers502IfTheCentralServiceAnswersOtherwiseThanWith200(String path, int status) {
        answer = exchange -> exchange.sendResponseHeaders(status, -1);

        assertBadGateway(path);
    }

    @ParameterizedTest
    @ValueSource(strings = { "/", "/async" })
    void answers502IfTheAnswerBreaksOff(String path) {
        answer = exchange -> {
            exchange.sendResponseHeaders(200, PAGE.length);
            exchange.getResponseBody().write(PAGE, 0, 100);
            throw new IllegalStateException("half a page is enough for today");
        };

        assertBadGateway(path);
    }

    @ParameterizedTest
    @ValueSource(strings = { "/", "/async" })
    void hasNoOtherMethod(String path) {
        when().post(path).then().statusCode(405).contentType("application/problem+json").body("status", equalTo(405));
    }

    @Test
    void asksAgainOnTheSameConnection() {
        Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();
        answer = exchange -> {
            clients.add(exchange.getRemoteAddress());
            page(exchange);
        };

        for (int i = 0; i < 5; i++) {
            when().get("/").then().statusCode(200);
            when().get("/async").then().statusCode(200);
        }

        assertEquals(1, clients.size());
    }

    // Were both threads of a request taken from the same pool, all would wait for each other for ever.
    @Test
    void answersFarMoreUsersAtOnceThanThereAreWorkerThreads() throws Exception {
        answer = exchange -> {
            LockSupport.parkNanos(LONG_ENOUGH_FOR_ALL_TO_ASK.toNanos());
            page(exchange);
        };

        HttpClient users = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try {
            var request = HttpRequest.newBuilder(async).build();
            var responses = Stream.generate(() -> users.sendAsync(request, BodyHandlers.discarding()))
                    .limit(FAR_MORE_THAN_WORKER_THREADS).toList();
            CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);

            assertTrue(responses.stream().allMatch(response -> response.join().statusCode() == 200));
        } finally {
            users.shutdownNow();
        }
    }

    @Test
    void sortsStill() {
        given().contentType(ContentType.JSON).body("[3, 1, 2]")
                .when().post("/sort")
                .then().statusCode(200).body("$", contains(1, 2, 3));
    }

    private static void page(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, PAGE.length);
        exchange.getResponseBody().write(PAGE);
    }

    private static void assertBadGateway(String path) {
        given().redirects().follow(false).when().get(path)
                .then().statusCode(502).contentType("application/problem+json")
                .body("status", equalTo(502)).body("detail", notNullValue());
    }
}
