// SPDX-License-Identifier: Apache-2.0
import { Pool } from 'undici'

const LIMITS = {
  connections: 2000,
  connectTimeout: 5_000,
  headersTimeout: 30_000,
  bodyTimeout: 30_000,
  keepAliveTimeout: 60_000
}

/** Passes on the page of the central service at `upstreamUrl`; whatever keeps the page from us is answered with 502. */
export default async function relay (app, { upstreamUrl }) {
  const centralService = new Pool(upstreamUrl, LIMITS)
  app.addHook('onClose', () => centralService.close())

  const passOn = async (request, reply) => {
    reply.type('text/html;charset=UTF-8')
    return page(centralService)
  }
  // Node.js waits for nothing in the first place, so there is no other way to go about /async.
  app.get('/', passOn)
  app.get('/async', passOn)
}

/** The page as it was sent, in bytes. */
async function page (centralService) {
  try {
    const { statusCode, body } = await centralService.request({ method: 'GET', path: '/' })
    if (statusCode === 200) return await body.bytes()

    await body.dump()
    throw new Error(`it answered ${statusCode}`)
  } catch (cause) {
    throw Object.assign(new Error(`No page from the central service: ${cause.message}`, { cause }), { statusCode: 502 })
  }
}
