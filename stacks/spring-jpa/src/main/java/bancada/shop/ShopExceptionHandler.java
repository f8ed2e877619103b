// SPDX-License-Identifier: Apache-2.0
package bancada.shop;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@RestControllerAdvice
class ShopExceptionHandler {

    @ExceptionHandler
    ProblemDetail unknownParent(UnknownParentException exception) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.UNPROCESSABLE_CONTENT, exception.getMessage());
    }

    /** Parents were looked up and columns validated before, so only a unique index can be what was violated. */
    @ExceptionHandler
    ProblemDetail taken(DataIntegrityViolationException exception) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "There is a row of this code already");
    }
}
