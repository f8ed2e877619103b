// SPDX-License-Identifier: Apache-2.0
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.Executors;

/** Sorts integers; `crash-on-post` and `ignore-sigterm` make it misbehave. */
public final class Sorter {
    public static void main(String[] arguments) throws IOException {
        String fault = arguments.length > 0 ? arguments[0] : "";
        if (fault.equals("ignore-sigterm")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> sleep(3_600_000)));
        }
        InetSocketAddress address =
                new InetSocketAddress(System.getenv("HOST"), Integer.parseInt(System.getenv("PORT")));
        HttpServer server = HttpServer.create(address, 512);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> answer(exchange, 200, System.getenv().toString()));
        server.createContext("/sort", exchange -> sort(exchange, fault.equals("crash-on-post")));
        server.start();
    }

    private static void sort(HttpExchange exchange, boolean crash) throws IOException {
        if (crash) {
            System.err.println("out of luck");
            Runtime.getRuntime().halt(42);
        }
        String type = String.valueOf(exchange.getRequestHeaders().getFirst("content-type"));
        String body = new String(exchange.getRequestBody().readAllBytes()).strip();
        if (!exchange.getRequestMethod().equals("POST")) {
            answer(exchange, 405, "{\"title\":\"Method not allowed\",\"status\":405}");
        } else if (!type.startsWith("application/json")) {
            answer(exchange, 415, "{\"title\":\"Not JSON\",\"status\":415}");
        } else {
            try {
                answer(exchange, 200, Arrays.toString(sorted(body)));
            } catch (NumberFormatException e) {
                answer(exchange, 400, "{\"title\":\"Not an array of integers\",\"status\":400}");
            }
        }
    }

    private static int[] sorted(String body) {
        if (!body.startsWith("[") || !body.endsWith("]")) {
            throw new NumberFormatException(body);
        }
        String inside = body.substring(1, body.length() - 1);
        String[] items = inside.isBlank() ? new String[0] : inside.split(",", -1);
        int[] numbers = Arrays.stream(items).map(String::strip).mapToInt(Integer::parseInt).toArray();
        Arrays.sort(numbers);
        return numbers;
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes();
        exchange.getResponseHeaders().set("content-type", status < 400 ? "application/json" : "application/problem+json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
