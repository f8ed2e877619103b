// SPDX-License-Identifier: Apache-2.0
package bancada.problem;

import java.util.stream.Collectors;

import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DatabindException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;

import bancada.shop.UnknownParentException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.Response.StatusType;

/** Turns what is thrown for a request that cannot be taken into problem details. */
public class ProblemMappers {

    // Jackson calls a string in the place of an array an invalid definition, which Quarkus would answer with 500.
    @ServerExceptionMapper({ MismatchedInputException.class, InvalidDefinitionException.class })
    RestResponse<Problem> unfitBody(DatabindException e) {
        return problem(Status.BAD_REQUEST, e.getOriginalMessage());
    }

    @ServerExceptionMapper
    RestResponse<Problem> invalidBody(ConstraintViolationException e) {
        return problem(Status.BAD_REQUEST, e.getConstraintViolations().stream()
                .map(ProblemMappers::sentence)
                .sorted()
                .collect(Collectors.joining("; ")));
    }

    @ServerExceptionMapper
    RestResponse<Problem> unknownParent(UnknownParentException e) {
        return problem(422, "Unprocessable Content", e.getMessage());
    }

    // Columns were validated and parents looked up before, so only a unique index can be what was violated.
    @ServerExceptionMapper
    RestResponse<Problem> codeTaken(org.hibernate.exception.ConstraintViolationException e) {
        return problem(Status.CONFLICT, "There is a row of this code already");
    }

    @ServerExceptionMapper
    RestResponse<Problem> refused(WebApplicationException e) {
        String detail = e.getCause() instanceof JacksonException cause ? cause.getOriginalMessage() : e.getMessage();
        return problem(e.getResponse().getStatusInfo(), detail);
    }

    // The path is that of the method's argument: insert.request.code.
    private static String sentence(ConstraintViolation<?> violation) {
        String path = violation.getPropertyPath().toString();
        return path.substring(path.lastIndexOf('.') + 1) + " " + violation.getMessage();
    }

    private static RestResponse<Problem> problem(StatusType status, String detail) {
        return problem(status.getStatusCode(), status.getReasonPhrase(), detail);
    }

    private static RestResponse<Problem> problem(int status, String title, String detail) {
        return ResponseBuilder.<Problem>create(status)
                .entity(new Problem(title, status, detail))
                .type("application/problem+json")
                .build();
    }
}
