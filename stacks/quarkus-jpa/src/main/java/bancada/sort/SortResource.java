// SPDX-License-Identifier: Apache-2.0
package bancada.sort;

import java.util.Arrays;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

@Path("/sort")
public class SortResource {

    // A plain return type makes Quarkus call this on a worker thread: sorting must not hold an event loop.
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public int[] sort(int[] integers) {
        if (integers == null) {
            throw new BadRequestException("The body is empty");
        }
        Arrays.sort(integers);
        return integers;
    }
}
