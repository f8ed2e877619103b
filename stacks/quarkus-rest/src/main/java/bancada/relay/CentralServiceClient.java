// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;
import org.jboss.resteasy.reactive.RestResponse;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The same question twice: the first method makes its caller wait, the second does not. */
@Path("/")
@RegisterRestClient(configKey = "central-service")
interface CentralServiceClient {

    @GET
    RestResponse<byte[]> ask();

    @GET
    Uni<RestResponse<byte[]>> askWithoutWaiting();
}
