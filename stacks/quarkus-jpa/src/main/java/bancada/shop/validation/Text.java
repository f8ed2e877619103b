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

/** Printable ASCII without control characters, not blank. */
@Documented
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = {})
@ReportAsSingleViolation
@NotNull
@Pattern(regexp = "(?=.*[^ ])[A-Za-z0-9 .,'-]{1,80}")
public @interface Text {

    String message() default "must be 1 to 80 of A-Z, a-z, 0-9, space and .,'-, not blank";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
