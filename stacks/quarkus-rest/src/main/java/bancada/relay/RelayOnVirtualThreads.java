// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

import io.quarkus.arc.properties.IfBuildProperty;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** Variant virtual: a virtual thread waits for the central service, and for /async a second one with it. */
@Path("/")
@Produces("text/html;charset=UTF-8")
@RunOnVirtualThread
@IfBuildProperty(name = "relay.runs-on", stringValue = "virtual-thread")
public class RelayOnVirtualThreads {

    private final CentralService centralService;
    private final ExecutorService virtualThreads;

    RelayOnVirtualThreads(CentralService centralService, @VirtualThreads ExecutorService virtualThreads) {
        this.centralService = centralService;
        this.virtualThreads = virtualThreads;
    }

    @GET
    public byte[] direct() {
        return centralService.page();
    }

    @GET
    @Path("async")
    public byte[] async() {
        return CompletableFuture.supplyAsync(centralService::page, virtualThreads).join();
    }
}
