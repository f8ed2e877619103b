// SPDX-License-Identifier: Apache-2.0
package bancada.relay;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClientException;

@RestController
@ConditionalOnProperty("upstream.url")
class RelayController {

	private static final String HTML = "text/html;charset=UTF-8";

	private final CentralService centralService;

	private final Executor threadForEachTask;

	RelayController(CentralService centralService, SimpleAsyncTaskExecutorBuilder executor) {
		this.centralService = centralService;
		this.threadForEachTask = executor.threadNamePrefix("async-").build();
	}

	@GetMapping(path = "/", produces = HTML)
	byte[] direct() {
		return this.centralService.ask();
	}

	// The executor is named because supplyAsync's own has a thread for each CPU but one, and these threads only wait.
	@GetMapping(path = "/async", produces = HTML)
	byte[] async() {
		return CompletableFuture.supplyAsync(this.centralService::ask, this.threadForEachTask).join();
	}

	@ExceptionHandler
	ProblemDetail failed(RestClientException exception) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, exception.getMessage());
	}

}
