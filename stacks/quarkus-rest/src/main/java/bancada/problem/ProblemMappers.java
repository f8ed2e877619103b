// SPDX-License-Identifier: Apache-2.0
package bancada.problem;

import java.util.concurrent.CompletionException;

import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jboss.resteasy.reactive.server.UnwrapException;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DatabindException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.Response.StatusType;

/** Turns what is thrown for a request that cannot be taken or answered into problem details. */
@UnwrapException(CompletionException.class)
public class ProblemMappers {

    // Jackson calls a string in the place of an array an invalid definition, which Quarkus would answer with 500.
    @ServerExceptionMapper({ MismatchedInputException.class, InvalidDefinitionException.class })
    RestResponse<Problem> unfitBody(DatabindException e) {
        return problem(Status.BAD_REQUEST, e.getOriginalMessage());
    }

    @ServerExceptionMapper
    RestResponse<Problem> refused(WebApplicationException e) {
        String detail = e.getCause() instanceof JacksonException cause ? cause.getOriginalMessage() : e.getMessage();
        return problem(e.getResponse().getStatusInfo(), detail);
    }

    private static RestResponse<Problem> problem(StatusType status, String detail) {
        return ResponseBuilder.create(status, new Problem(status.getReasonPhrase(), status.getStatusCode(), detail))
                .type("application/problem+json")
                .build();
    }
}
