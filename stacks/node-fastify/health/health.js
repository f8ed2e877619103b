// SPDX-License-Identifier: Apache-2.0

/** Fastify listens only when all plugins are loaded: whoever gets an answer may ask the rest. */
export default async function health (app) {
  app.get('/health', async () => ({ status: 'UP' }))
}
