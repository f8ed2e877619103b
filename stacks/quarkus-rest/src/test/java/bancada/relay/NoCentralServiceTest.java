// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.equalTo;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class NoCentralServiceTest {

    @ParameterizedTest
    @ValueSource(strings = { "/", "/async" })
    void startsWithoutOneAndAnswers502(String path) {
        when().get(path).then().statusCode(502).contentType("application/problem+json").body("status", equalTo(502));
    }
}
