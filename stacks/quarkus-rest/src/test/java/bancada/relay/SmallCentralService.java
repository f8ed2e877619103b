// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpServer;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** A real server on a port that the kernel chose; a test gives it its handler. */
public class SmallCentralService implements QuarkusTestResourceLifecycleManager {

    private static final int BACKLOG = 500;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;

    @Override
    public Map<String, String> start() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        } catch (IOException e) {
            throw new IllegalStateException("the central service cannot listen", e);
        }
        server.setExecutor(threads);
        server.start();
        return Map.of("UPSTREAM_URL", "http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(server, new TestInjector.MatchesType(HttpServer.class));
    }

    @Override
    public void stop() {
        server.stop(0);
        threads.close();
    }
}
