// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { build } from '../app.js'

const PAGE = Buffer.from('<p>Central de relações — überall, всюду, 到処</p>\n'.repeat(120))
const DELAY_MS = 50

const answers = {
  page: (response) => setTimeout(() => response.end(PAGE), DELAY_MS),
  nothing: (response) => response.end(),
  'no content': (response) => response.writeHead(204).end(),
  redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  refusal: (response) => response.writeHead(503).end('not now'),
  'half a page': (response) => response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy()),
  'no answer': (response) => response.destroy()
}

let answer = 'page'
const connections = new Set()
const centralService = createServer((request, response) => answers[answer](response))
  .on('connection', (socket) => connections.add(socket))

const address = async (server) => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${server.address().port}`
}

let app
before(async () => { app = build({ upstreamUrl: await address(centralService) }) })
after(async () => {
  await app.close()
  centralService.close()
})

const assertBadGateway = (response) => {
  assert.equal(response.statusCode, 502)
  assert.match(response.headers['content-type'], /^application\/problem\+json/)
  assert.equal(response.json().status, 502)
  assert.ok(response.json().detail)
}

for (const path of ['/', '/async']) {
  describe(path, () => {
    test('passes the page on, byte for byte', async () => {
      answer = 'page'
      const response = await app.inject(path)

      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['content-type'], 'text/html;charset=UTF-8')
      assert.deepEqual(response.rawPayload, PAGE)
    })

    test('passes an empty page on', async () => {
      answer = 'nothing'
      const response = await app.inject(path)

      assert.equal(response.statusCode, 200)
      assert.equal(response.rawPayload.length, 0)
    })

    for (const other of ['no content', 'redirect', 'refusal', 'half a page', 'no answer']) {
      test(`answers 502 if the central service answers with: ${other}`, async () => {
        answer = other
        assertBadGateway(await app.inject(path))
      })
    }

    test('has no other method', async () => {
      assert.equal((await app.inject({ method: 'POST', url: path })).statusCode, 404)
    })
  })
}

test('waits for many answers at once, and uses their connections again', async () => {
  const rounds = 4
  const users = 25
  answer = 'page'
  connections.clear()

  const started = performance.now()
  for (let round = 0; round < rounds; round++) {
    const responses = await Promise.all(Array.from({ length: users }, () => app.inject('/async')))
    assert.ok(responses.every((response) => response.statusCode === 200))
  }
  const duration = performance.now() - started

  assert.ok(duration < rounds * users * DELAY_MS / 2, `${duration} ms, where one after the other takes 5000`)
  // The pool opens some in advance, but in the long run no more than two for each user.
  assert.ok(connections.size <= 2 * users, `${connections.size} connections`)
})

test('answers 502 if nobody listens at the address', async () => {
  const gone = createServer()
  const unreachable = build({ upstreamUrl: await address(gone) })
  await new Promise((resolve) => gone.close(resolve))

  assertBadGateway(await unreachable.inject('/'))
  await unreachable.close()
})

test('starts without a central service, and serves the rest', async () => {
  const alone = build()

  assert.equal((await alone.inject('/health')).statusCode, 200)
  assert.equal((await alone.inject('/async')).statusCode, 404)
  await alone.close()
})
