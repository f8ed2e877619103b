// SPDX-License-Identifier: Apache-2.0
package bancada.shop;

import jakarta.persistence.EntityManagerFactory;

import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static org.assertj.core.api.Assertions.assertThat;

/** The whole application on an H2 database. No test changes it: what they ask for is refused, or only reads. */
@SpringBootTest(properties = { "PORT=0", "SQL_URL=h2:mem:shop;IGNORE_UNKNOWN_SETTINGS=TRUE",
        "spring.jpa.hibernate.ddl-auto=create", "spring.jpa.properties.hibernate.generate_statistics=true" })
@AutoConfigureMockMvc
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShopIntegrationTests {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private EntityManagerFactory factory;

    @BeforeAll
    void fill() {
        for (String number : new String[] { "1", "2" }) {
            insert("/categories", "{'code':'C-N','name':'Kitchen'}", number);
            insert("/products", "{'code':'P-N','name':'Kettle','priceCents':0,'category':'C-N','unknown':[]}", number);
            insert("/customers", "{'code':'U-N','name':'Maria'}", number);
            insert("/addresses", "{'customer':'U-N','street':'Rua das Flores','city':'Lisboa'}", number);
            insert("/orders", "{'code':'O-N','customer':'U-N'}", number);
            insert("/items", "{'order':'O-N','product':'P-N','quantity':1000}", number);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /categories | {'code':'C-1','name':'Kitchen'}
            /products   | {'code':'P-1','name':'Kettle','priceCents':0,'category':'C-1'}
            /customers  | {'code':'U-1','name':'Maria'}
            /addresses  | {'customer':'U-1','street':'Rua das Flores','city':'Lisboa'}
            /orders     | {'code':'O-1','customer':'U-1'}
            /items      | {'order':'O-1','product':'P-1','quantity':1000}
            """, quoteCharacter = '"')
    void listsAllRowsWithTheirParentsInOneQuery(String path, String first) {
        Statistics statistics = factory.unwrap(SessionFactory.class).getStatistics();
        statistics.clear();
        assertThat(mvc.get().uri(path)).hasStatusOk()
                .bodyJson()
                .isLenientlyEqualTo("[" + first.replace('\'', '"').replace("}", ",\"id\":1}, {\"id\":2}]"));
        assertThat(statistics.getPrepareStatementCount()).isOne();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /products  | {'code':'P-3','name':'Kettle','priceCents':0,'category':'C-0'}
            /addresses | {'customer':'U-0','street':'Rua das Flores','city':'Lisboa'}
            /orders    | {'code':'O-3','customer':'U-0'}
            /items     | {'order':'O-0','product':'P-1','quantity':1}
            /items     | {'order':'O-1','product':'P-0','quantity':1}
            """, quoteCharacter = '"')
    void refusesAnUnknownParent(String path, String body) {
        assertRefused(post(path, body), HttpStatus.UNPROCESSABLE_CONTENT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /categories | {'code':'C-1','name':'Kitchen'}
            /products   | {'code':'P-1','name':'Kettle','priceCents':0,'category':'C-1'}
            /customers  | {'code':'U-1','name':'Maria'}
            /orders     | {'code':'O-1','customer':'U-1'}
            """, quoteCharacter = '"')
    void refusesACodeThatIsThereAlready(String path, String body) {
        assertRefused(post(path, body), HttpStatus.CONFLICT);
    }

    @ParameterizedTest
    @ValueSource(strings = { "{", "null", "[]", "{}", "{'order':'O-1','product':'P-1'}",
            "{'order':'O-1','product':'P-1','quantity':1} 1",
            "{'order':'O-1','product':'P-1','quantity':0}", "{'order':'O-1','product':'P-1','quantity':1001}",
            "{'order':'O-1','product':'P-1','quantity':'1'}", "{'order':'O-1','product':'P-1','quantity':''}",
            "{'order':'O-1','product':'P-1','quantity':1.0}", "{'order':'O-1','product':'P-1','quantity':true}",
            "{'order':'o-1','product':'P-1','quantity':1}", "{'order':'O-1\\n','product':'P-1','quantity':1}",
            "{'order':1,'product':'P-1','quantity':1}", "{'order':null,'product':'P-1','quantity':1}" })
    void refusesABodyThatIsNotAnItem(String body) {
        assertRefused(post("/items", body), HttpStatus.BAD_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = { "''", "'  '", "'caf\u00e9'", "'a\\tb'", "1", "1.5", "true", "null", "[]" })
    void refusesANameThatIsNoText(String name) {
        assertRefused(post("/customers", "{'code':'U-3','name':" + name + "}"), HttpStatus.BAD_REQUEST);
    }

    @Test
    void refusesAnotherContentType() {
        assertThat(mvc.post().uri("/orders").contentType(MediaType.TEXT_PLAIN).content("{}"))
                .hasStatus(HttpStatus.UNSUPPORTED_MEDIA_TYPE);
    }

    private void insert(String path, String body, String number) {
        assertThat(post(path, body.replace("N'", number + "'"))).hasStatus(HttpStatus.CREATED);
    }

    private MvcTestResult post(String path, String body) {
        return mvc.post().uri(path).contentType(MediaType.APPLICATION_JSON).content(body.replace('\'', '"')).exchange();
    }

    private void assertRefused(MvcTestResult result, HttpStatus status) {
        assertThat(result).hasStatus(status)
                .hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
                .bodyJson()
                .hasPathSatisfying("$.detail", detail -> detail.assertThat().isNotEmpty());
    }
}
