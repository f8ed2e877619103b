// SPDX-License-Identifier: Apache-2.0
import closeWithGrace from 'close-with-grace'
import { LogController } from 'fastify'
import { build } from './app.js'

const { PORT, HOST = '0.0.0.0', UPSTREAM_URL } = process.env
if (!PORT) throw new Error('PORT is not set')

const app = build({
  upstreamUrl: UPSTREAM_URL,
  logger: true,
  logController: new LogController({ disableRequestLogging: true })
})

closeWithGrace({ delay: 1000, logger: app.log }, async ({ err }) => {
  if (err) app.log.error(err)
  await app.close()
})

await app.listen({ port: Number(PORT), host: HOST })
