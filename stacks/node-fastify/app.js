// SPDX-License-Identifier: Apache-2.0
import { STATUS_CODES } from 'node:http'
import Fastify from 'fastify'
import health from './health/health.js'
import relay from './relay/relay.js'
import sort from './sort/sort.js'

/**
 * Builds the application without listening, so that tests can inject requests.
 * Without `upstreamUrl`, the address of the central service, there is no relay.
 */
export function build ({ upstreamUrl, ...options } = {}) {
  const app = Fastify({
    bodyLimit: 2 * 1024 * 1024,
    ajv: { customOptions: { coerceTypes: false } },
    ...options
  })

  app.setErrorHandler(problem)
  app.register(health)
  app.register(sort)
  if (upstreamUrl) app.register(relay, { upstreamUrl })
  return app
}

/** Answers with problem details (RFC 9457). */
function problem (error, request, reply) {
  const status = error.statusCode ?? 500
  const title = STATUS_CODES[status]
  if (status >= 500) request.log.error(error)
  return reply
    .code(status)
    .type('application/problem+json')
    .send({ title, status, detail: status < 500 ? error.message : title })
}
