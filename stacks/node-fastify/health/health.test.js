// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { build } from '../app.js'

const app = build()
after(() => app.close())

test('is up once built', async () => {
  const response = await app.inject('/health')

  assert.equal(response.statusCode, 200)
  assert.deepEqual(response.json(), { status: 'UP' })
})
