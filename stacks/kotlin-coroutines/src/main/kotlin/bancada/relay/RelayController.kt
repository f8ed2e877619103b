// SPDX-License-Identifier: Apache-2.0
package bancada.relay

import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty
import org.springframework.http.HttpStatus
import org.springframework.http.ProblemDetail
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClientException

private const val HTML = "text/html;charset=UTF-8"

@RestController
@ConditionalOnProperty("upstream.url")
class RelayController(private val centralService: CentralService) {

	@GetMapping("/", produces = [HTML])
	suspend fun direct(): ByteArray = centralService.ask()

	@GetMapping("/async", produces = [HTML])
	suspend fun inCoroutineOfItsOwn(): ByteArray = coroutineScope { async { centralService.ask() }.await() }

	@ExceptionHandler
	fun failed(exception: WebClientException): ProblemDetail =
		ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, exception.message)
}
