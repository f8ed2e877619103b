// SPDX-License-Identifier: Apache-2.0
package bancada.shop.validation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

/** Names a row from outside. */
@Documented
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = {})
@ReportAsSingleViolation
@NotNull
@Pattern(regexp = "[A-Z0-9-]{1,40}")
public @interface Code {

    String message() default "must be 1 to 40 of A-Z, 0-9 and -";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
