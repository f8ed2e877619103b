// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { build } from '../app.js'

const app = build()
after(() => app.close())

const sort = (body, type = 'application/json') =>
  app.inject({ method: 'POST', url: '/sort', headers: { 'content-type': type }, body })

const assertProblem = (response, status) => {
  assert.equal(response.statusCode, status)
  assert.match(response.headers['content-type'], /^application\/problem\+json/)
  assert.equal(response.json().status, status)
  assert.ok(response.json().detail)
}

test('answers the integers ascending, as numbers and not as text', async () => {
  const response = await sort('[2147483647, 10, 9, -2147483648, 9, 0]')

  assert.equal(response.statusCode, 200)
  assert.deepEqual(response.json(), [-2147483648, 0, 9, 9, 10, 2147483647])
})

test('answers an empty array with an empty array', async () => {
  assert.deepEqual((await sort('[]')).json(), [])
})

const notIntegers = [
  '', 'three', '[3, 1', '[3] [1]', 'null', '3', '"3"', '{}', '["3"]', '[""]', '[true]', '[null]',
  '[[3]]', '[1.5]', '[3.0]', '[3e2]', '[3E2]', '[2147483648]', '[-2147483649]'
]

for (const body of notIntegers) {
  test(`refuses a body that is not an array of 32-bit integers: ${body || 'none at all'}`, async () => {
    assertProblem(await sort(body), 400)
  })
}

test('refuses another content type', async () => {
  assertProblem(await sort('[3, 1, 2]', 'text/plain'), 415)
})

test('takes a body of 2 MiB and refuses a larger one', async () => {
  const padded = (size) => '[3,1]'.padEnd(size)

  assert.equal((await sort(padded(2 * 1024 * 1024))).statusCode, 200)
  assertProblem(await sort(padded(2 * 1024 * 1024 + 1)), 413)
})
