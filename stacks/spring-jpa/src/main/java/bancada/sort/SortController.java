// SPDX-License-Identifier: Apache-2.0
package bancada.sort;

import java.util.Arrays;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SortController {

    @PostMapping(path = "/sort", consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    int[] sort(@RequestBody int[] integers) {
        Arrays.sort(integers);
        return integers;
    }

}
