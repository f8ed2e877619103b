// SPDX-License-Identifier: Apache-2.0
package bancada;

import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.equalTo;

import org.junit.jupiter.api.Test;

import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class HealthTest {

    @Test
    void isUpWithoutADatabaseWhereNoneIsNamed() {
        when().get("/health").then().statusCode(200).body("status", equalTo("UP"));
    }
}
