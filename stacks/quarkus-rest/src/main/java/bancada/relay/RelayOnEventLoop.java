// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import io.quarkus.arc.properties.IfBuildProperty;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** Variant reactive: nothing waits, and so both paths are one. */
@Path("/")
@Produces("text/html;charset=UTF-8")
@IfBuildProperty(name = "relay.runs-on", stringValue = "event-loop")
public class RelayOnEventLoop {

    private final CentralService centralService;

    RelayOnEventLoop(CentralService centralService) {
        this.centralService = centralService;
    }

    @GET
    public Uni<byte[]> direct() {
        return centralService.promisedPage();
    }

    @GET
    @Path("async")
    public Uni<byte[]> async() {
        return centralService.promisedPage();
    }
}
