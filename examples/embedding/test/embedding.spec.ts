import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineContentType, silentLogger } from '@octavo/core'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inExpress } from '../src/in-express.ts'
import { inFastify } from '../src/in-fastify.ts'
import { inKoa } from '../src/in-koa.ts'
import { inNodeHttp } from '../src/in-node-http.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
})

let octavo: Server
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  drop = database.drop
  octavo = await createServer({
    contentTypes: [article],
    database: database.url,
    access: 'open',
    logger: silentLogger,
  })
})
afterAll(async () => {
  await octavo.close()
  await drop()
})

/** Each host as an HTTP server that does not listen yet. */
const hosts: Readonly<Record<string, () => Promise<HttpServer>>> = {
  Express: async () => createHttp(inExpress(octavo)),
  Fastify: async () => {
    const app = inFastify(octavo)
    await app.ready()
    return app.server
  },
  Koa: async () => createHttp(inKoa(octavo).callback()),
  Node: async () => inNodeHttp(octavo),
}

async function clientOf(http: HttpServer): Promise<Client> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  return createClient(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
}

async function stop(http: HttpServer): Promise<void> {
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
}

describe('Octavo inside another application', () => {
  it.each(Object.entries(hosts))('answers beside the routes of %s', async (name, host) => {
    const http = await host()
    try {
      const api = await clientOf(http)
      expect((await api.get('/hello')).body).toEqual({ hello: name })
      const created = await api.post('/api/articles', { body: { data: { title: `From ${name}` } } })
      expect([created.status, created.body.data.attributes.title]).toEqual([200, `From ${name}`])
      expect((await api.get(`/api/articles/${created.body.data.id}`)).body.data.id).toBe(created.body.data.id)
      expect((await api.get('/api/nothing')).body.error.name).toBe('NotFoundError')
      const broken = await api.post('/api/articles', {
        body: '{"data":',
        headers: { 'content-type': 'application/json' },
      })
      expect(broken.status).toBe(400)
    } finally {
      await stop(http)
    }
  })

  it('answers below a path of Express, and behind its parser', async () => {
    const app = express()
    app.use(express.json())
    app.use('/cms', octavo.app.callback())
    const http = createHttp(app)
    try {
      const api = await clientOf(http)
      const { body } = await api.post('/cms/api/articles', { body: { data: { title: 'Below' } } })
      const path = `/cms/api/articles/${body.data.id}`
      expect((await api.get(`${path}?fields=title`)).body.data.attributes).toEqual({ title: 'Below' })
      expect((await api.get('/api/articles')).status).toBe(404)
    } finally {
      await stop(http)
    }
  })
})
