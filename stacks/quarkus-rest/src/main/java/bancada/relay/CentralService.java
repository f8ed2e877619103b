// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import org.eclipse.microprofile.rest.client.inject.RestClient;
import org.jboss.resteasy.reactive.RestResponse;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.ServerErrorException;
import jakarta.ws.rs.core.Response.Status;

/** The service whose page is passed on. Whatever keeps the page from us is answered with 502. */
@ApplicationScoped
public class CentralService {

    private final CentralServiceClient client;

    CentralService(@RestClient CentralServiceClient client) {
        this.client = client;
    }

    /** The page as it was sent; the calling thread waits for it. */
    public byte[] page() {
        try {
            return pageIn(client.ask());
        } catch (RuntimeException e) {
            throw badGateway(e);
        }
    }

    /** The same without a thread that waits. */
    public Uni<byte[]> promisedPage() {
        return client.askWithoutWaiting().map(CentralService::pageIn).onFailure().transform(CentralService::badGateway);
    }

    // The client throws for 400 and above by itself.
    private static byte[] pageIn(RestResponse<byte[]> answer) {
        if (answer.getStatus() != Status.OK.getStatusCode()) {
            throw new IllegalStateException("it answered " + answer.getStatus());
        }
        return answer.hasEntity() ? answer.getEntity() : new byte[0];
    }

    // From any exception: where an answer breaks off or cannot be read, the client passes on what Vert.x and Netty throw.
    private static ServerErrorException badGateway(Throwable e) {
        return new ServerErrorException("No page from the central service: " + e.getMessage(), Status.BAD_GATEWAY, e);
    }
}
