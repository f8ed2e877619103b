// SPDX-License-Identifier: Apache-2.0
package bancada.shop;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;

/** A body is judged before the database is asked, so these tests need none. */
@QuarkusTest
class RefusedBodyTest {

    @ParameterizedTest
    @ValueSource(strings = { "categories", "products", "customers", "addresses", "orders", "items" })
    void refusesABodyThatIsNotOneObjectWithAllFields(String resource) {
        for (String body : new String[] { "", "null", "{", "[]", "3", "\"AAA\"", "{}", "{} {}" }) {
            post(resource, body).statusCode(400).contentType("application/problem+json").body("status", equalTo(400));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "null", "\"\"", "\"c-1\"", "\"C 1\"", "\"C-1\\n\"", "1", "true", "[\"C-1\"]",
            "\"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC\"" })
    void refusesACodeThatIsNotCapitalsDigitsAndHyphens(String code) {
        post("categories", "{\"code\": %s, \"name\": \"Kitchen\"}".formatted(code)).statusCode(400);
    }

    @ParameterizedTest
    @ValueSource(strings = { "null", "\"\"", "\"  \"", "\"\\t\"", "\"Küche\"", "\"a/b\"", "1", "1.5", "true", "{}" })
    void refusesATextThatIsBlankOrHoldsOtherCharacters(String name) {
        post("categories", "{\"code\": \"C-1\", \"name\": %s}".formatted(name)).statusCode(400);
    }

    @ParameterizedTest
    @CsvSource({ "products, priceCents, -1", "products, priceCents, 2147483648", "products, priceCents, 1.0",
            "products, priceCents, '\"1\"'", "products, priceCents, null", "items, quantity, 0", "items, quantity, 1001",
            "items, quantity, 1e2", "items, quantity, true" })
    void refusesANumberThatIsNotAnIntegerInItsRange(String resource, String field, String number) {
        post(resource, """
                {"code": "P-1", "name": "Kettle", "category": "C-1", "order": "O-1", "product": "P-1", "%s": %s}
                """.formatted(field, number)).statusCode(400);
    }

    @Test
    void namesTheFieldThatIsWrong() {
        post("categories", "{\"code\": \"c-1\", \"name\": \"Kitchen\"}").body("detail", startsWith("code must be"));
    }

    @Test
    void refusesAnotherContentType() {
        given().contentType(ContentType.TEXT).body("{\"code\": \"C-1\", \"name\": \"Kitchen\"}")
                .when().post("/categories")
                .then().statusCode(415).contentType("application/problem+json");
    }

    private static ValidatableResponse post(String resource, String body) {
        return given().contentType(ContentType.JSON).body(body).when().post("/" + resource).then();
    }
}
