// SPDX-License-Identifier: Apache-2.0
package bancada.sort;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static org.assertj.core.api.Assertions.assertThat;

@WebMvcTest(SortController.class)
class SortControllerTests {

    @Autowired
    private MockMvcTester mvc;

    @Test
    void answersTheIntegersAscending() {
        assertThat(sort("[2147483647, 3, -2147483648, 3, 0]")).hasStatusOk()
            .bodyJson()
            .isStrictlyEqualTo("[-2147483648, 0, 3, 3, 2147483647]");
    }

    @Test
    void answersAnEmptyArrayWithAnEmptyArray() {
        assertThat(sort("[]")).hasStatusOk().bodyJson().isStrictlyEqualTo("[]");
    }

    @ParameterizedTest
    @EmptySource
    @ValueSource(strings = { "three", "[3, 1", "[3] [1]", "null", "3", "\"3\"", "{}", "[\"3\"]", "[\"\"]", "[true]",
            "[null]", "[[3]]", "[1.5]", "[3.0]", "[3e2]", "[2147483648]", "[-2147483649]" })
    void refusesABodyThatIsNotAnArrayOf32BitIntegers(String body) {
        assertThat(sort(body)).hasStatus(HttpStatus.BAD_REQUEST)
            .hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
            .bodyJson()
            .hasPathSatisfying("$.detail", detail -> detail.assertThat().isNotEmpty());
    }

    @Test
    void refusesAnotherContentType() {
        assertThat(this.mvc.post().uri("/sort").contentType(MediaType.TEXT_PLAIN).content("[3, 1, 2]"))
            .hasStatus(HttpStatus.UNSUPPORTED_MEDIA_TYPE)
            .hasContentType(MediaType.APPLICATION_PROBLEM_JSON);
    }

    private MvcTestResult sort(String body) {
        return this.mvc.post().uri("/sort").contentType(MediaType.APPLICATION_JSON).content(body).exchange();
    }

}
