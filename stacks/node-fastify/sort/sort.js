// SPDX-License-Identifier: Apache-2.0

const integers = {
  type: 'array',
  items: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }
}

export default async function sort (app) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, integersOnly(app))

  app.post('/sort', { schema: { body: integers, response: { 200: integers } } }, async (request) =>
    request.body.sort((a, b) => a - b)
  )
}

/** To JavaScript 1.0 and 1e3 are integers like any other once they are parsed; the contract refuses them as they are written. */
function integersOnly (app) {
  const parse = app.getDefaultJsonParser('error', 'error')

  return (request, body, done) => {
    if (/[.eE]/.test(body)) {
      done(Object.assign(new Error('body must hold integers only'), { statusCode: 400 }))
    } else {
      parse(request, body, done)
    }
  }
}
