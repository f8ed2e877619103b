// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.annotation.PreDestroy;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** Variant jar: a worker thread waits for the central service, and for /async a second thread with it. */
@Path("/")
@Produces("text/html;charset=UTF-8")
@IfBuildProperty(name = "relay.runs-on", stringValue = "worker-thread")
public class RelayOnWorkerThreads {

    private final CentralService centralService;

    // Not Quarkus' own executor: its threads are the workers, so 200 workers that wait for a 201st would wait for ever.
    private final ExecutorService threadForEachTask = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory());

    RelayOnWorkerThreads(CentralService centralService) {
        this.centralService = centralService;
    }

    @GET
    public byte[] direct() {
        return centralService.page();
    }

    @GET
    @Path("async")
    public byte[] async() {
        return CompletableFuture.supplyAsync(centralService::page, threadForEachTask).join();
    }

    @PreDestroy
    void endThreads() {
        threadForEachTask.shutdownNow();
    }
}
