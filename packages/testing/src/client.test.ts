import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from './client.ts'

/** Answers every request with what it received. */
const echo = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  if (request.url === '/text') return void response.setHeader('content-type', 'text/plain').end('plain')
  if (request.url === '/moved') return void response.writeHead(302, { location: '/text' }).end()
  if (request.url === '/nothing') return void response.writeHead(204).end()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method, url, headers } = request
  response.writeHead(418, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }))
})

let api: Client
beforeAll(async () => {
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  // listen() on a port: the address is neither null nor a pipe's name.
  api = createClient(`http://127.0.0.1:${(echo.address() as AddressInfo).port}/`)
})
afterAll(() => void echo.close())

describe('the test client', () => {
  it.each(['get', 'post', 'put', 'delete'] as const)(
    'sends %s and parses the JSON of the answer',
    async (method) => {
      const { status, headers, body, text } = await api[method]('/api/books?sort[0]=title:desc')
      expect(status).toBe(418)
      expect(headers.get('content-type')).toContain('application/json')
      expect(body).toMatchObject({ method: method.toUpperCase(), url: '/api/books?sort[0]=title:desc' })
      expect(JSON.parse(text)).toEqual(body)
    },
  )

  it('sends HEAD, which has no body', async () => {
    expect(await api.head('/api/books')).toMatchObject({ status: 418, text: '', body: undefined })
  })

  it('sends any other method', async () => {
    expect((await api.request('PATCH', '/')).body.method).toBe('PATCH')
  })

  it('sends an object as JSON', async () => {
    const { body } = await api.post('/', { body: { data: { title: 'Émile' } } })
    expect(body.headers['content-type']).toBe('application/json')
    expect(body.body).toBe('{"data":{"title":"Émile"}}')
  })

  it('sends text, bytes and forms unchanged', async () => {
    expect((await api.post('/', { body: '{"broken' })).body.body).toBe('{"broken')
    expect((await api.post('/', { body: Buffer.from('bytes') })).body.body).toBe('bytes')
    const form = new FormData()
    form.set('data', '{}')
    expect((await api.post('/', { body: form })).body.headers['content-type']).toContain(
      'multipart/form-data; boundary=',
    )
  })

  it('sends the token, and headers, which have the last word', async () => {
    expect((await api.get('/', { token: 'abc' })).body.headers.authorization).toBe('Bearer abc')
    const { body } = await api.post('/', { body: {}, headers: { 'content-type': 'application/vnd.x+json' } })
    expect(body.headers['content-type']).toBe('application/vnd.x+json')
  })

  it('gives text as text, and undefined for no body', async () => {
    expect((await api.get('/text')).body).toBe('plain')
    expect(await api.get('/nothing')).toMatchObject({ status: 204, body: undefined, text: '' })
  })

  it('does not follow redirects', async () => {
    const { status, headers } = await api.get('/moved')
    expect([status, headers.get('location')]).toEqual([302, '/text'])
  })
})
