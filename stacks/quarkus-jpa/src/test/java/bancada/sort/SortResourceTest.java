// SPDX-License-Identifier: Apache-2.0
package bancada.sort;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;

@QuarkusTest
class SortResourceTest {

    @Test
    void answersTheIntegersAscending() {
        given().contentType(ContentType.JSON).body("[2147483647, 3, -2147483648, 3, 0]")
                .when().post("/sort")
                .then().statusCode(200).contentType(ContentType.JSON)
                .body("$", contains(-2147483648, 0, 3, 3, 2147483647));
    }

    @Test
    void answersAnEmptyArrayWithAnEmptyArray() {
        given().contentType(ContentType.JSON).body("[]")
                .when().post("/sort")
                .then().statusCode(200).body("$", empty());
    }

    @ParameterizedTest
    @EmptySource
    @ValueSource(strings = { "three", "[3, 1", "[3] [1]", "null", "3", "\"3\"", "{}", "[\"3\"]", "[\"\"]", "[true]", "[null]",
            "[[3]]", "[1.5]", "[3.0]", "[3e2]", "[2147483648]", "[-2147483649]" })
    void refusesABodyThatIsNotAnArrayOf32BitIntegers(String body) {
        given().contentType(ContentType.JSON).body(body)
                .when().post("/sort")
                .then().statusCode(400).contentType("application/problem+json")
                .body("status", equalTo(400)).body("detail", notNullValue());
    }

    @Test
    void refusesAnotherContentType() {
        given().contentType(ContentType.TEXT).body("[3, 1, 2]")
                .when().post("/sort")
                .then().statusCode(415).contentType("application/problem+json").body("status", equalTo(415));
    }
}
