import { silentLogger } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createServer, type ServerOptions } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const quiet = definePlugin({
  name: 'quiet',
  setup(host) {
    host.hook('query:node', () => undefined)
    host.hook('entry:beforeCreate', async ({ input }) => {
      if (input.title === 'broken') throw new Error('out of order')
    })
  },
})

async function openSite(options: Partial<ServerOptions> = {}) {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'post', pluralName: 'posts' },
        attributes: { title: { type: 'string' } },
      },
    ],
    plugins: [quiet],
    access: 'open',
    database: database.url,
    logger: silentLogger,
    ...options,
  })
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  return { api, close: () => server.close().then(() => database.drop()) }
}

describe('Server-Timing', () => {
  let api: Client
  let close: () => Promise<void>
  beforeAll(async () => {
    const site = await openSite({ serverTiming: true })
    api = site.api
    close = site.close
  })
  afterAll(() => close())

  const stepsOf = async (path: string): Promise<readonly string[]> => {
    const header = (await api.get(path)).headers.get('server-timing') ?? ''
    return header.split(', ').map((entry) => {
      expect(entry).toMatch(/^\w+;dur=\d+(\.\d+)?$/)
      return entry.split(';', 1)[0] ?? ''
    })
  }

  it('has the steps of a read', async () => {
    expect(await stepsOf('/api/posts?fields=title')).toEqual(
      expect.arrayContaining(['parse', 'resolve', 'compile', 'execute', 'hooks', 'total']),
    )
  })

  it('has no parse, resolve and compile where the statement is cached', async () => {
    await api.get('/api/posts?sort=title')
    const steps = await stepsOf('/api/posts?sort=title')
    expect(steps).toContain('execute')
    expect(steps).not.toContain('compile')
  })

  it('has the write of a write, and is there for errors', async () => {
    const { headers } = await api.post('/api/posts', { body: { data: { title: 'x' } } })
    expect(headers.get('server-timing')).toMatch(/write;dur=/)
    expect(await stepsOf('/api/posts?sort=none')).toContain('resolve')
  })

  it('is not there by default', async () => {
    const site = await openSite()
    try {
      expect((await site.api.get('/api/posts')).headers.has('server-timing')).toBe(false)
    } finally {
      await site.close()
    }
  })
})

describe('With a provider of OpenTelemetry', () => {
  const exporter = new InMemorySpanExporter()
  let site: Awaited<ReturnType<typeof openSite>>
  beforeAll(async () => {
    // The server is created first: the provider may be registered later.
    site = await openSite()
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    )
  })
  beforeEach(() => exporter.reset())
  afterAll(async () => {
    await site.close()
    trace.disable()
    context.disable()
    propagation.disable()
  })

  const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans()
  const named = (name: string): ReadableSpan => {
    const found = spans().find((span) => span.name === name)
    if (!found) throw new Error(`There is no span ${name}, only ${spans().map((span) => span.name)}`)
    return found
  }
  const parentOf = (span: ReadableSpan): string | undefined =>
    spans().find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId)?.name

  it('a read has spans for its steps, and handlers of hooks are below the step that calls them', async () => {
    await site.api.get('/api/posts?fields=title')
    for (const step of ['parse', 'resolve', 'compile', 'execute'])
      expect([step, parentOf(named(`octavo.${step}`))]).toEqual([step, 'GET'])
    expect(named('octavo.execute').attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringMatching(/^select /),
    })
    const hook = named('octavo.hook')
    expect(hook.attributes).toEqual({ 'octavo.plugin': 'quiet', 'octavo.hook': 'query:node' })
    expect(parentOf(hook)).toBe('octavo.resolve')
    expect(named('GET').attributes).toEqual({
      'http.request.method': 'GET',
      'url.path': '/api/posts',
      'http.response.status_code': 200,
    })
  })

  it('no span has a value of a request', async () => {
    await site.api.get('/api/posts?filters[title]=confidential')
    await site.api.post('/api/posts', { body: { data: { title: 'confidential' } } })
    const texts = spans().map(({ name, attributes, events }) => JSON.stringify([name, attributes, events]))
    expect(texts.filter((text) => text.includes('confidential'))).toEqual([])
  })

  it('a write has a span, with its hooks below it', async () => {
    await site.api.post('/api/posts', { body: { data: { title: 'one' } } })
    expect(named('octavo.write').attributes).toEqual({
      'octavo.type': 'api::post.post',
      'octavo.action': 'create',
    })
    const hook = spans().find(({ attributes }) => attributes['octavo.hook'] === 'entry:beforeCreate')
    expect(hook && parentOf(hook)).toBe('octavo.write')
  })

  it('an error of a plugin is one of its span and of those above; a refusal is none', async () => {
    await site.api.post('/api/posts', { body: { data: { title: 'broken' } } })
    const failed = spans().filter(({ status }) => status.code === 2)
    expect(failed.map(({ name }) => name).sort()).toEqual(['POST', 'octavo.hook', 'octavo.write'])
    exporter.reset()
    await site.api.get('/api/posts?sort=none')
    expect(spans().filter(({ status }) => status.code === 2)).toEqual([])
  })

  it('the span of a request continues the trace of its caller', async () => {
    const id = '0af7651916cd43dd8448eb211c80319c'
    await site.api.get('/api/posts', { headers: { traceparent: `00-${id}-b7ad6b7169203331-01` } })
    expect(named('GET').spanContext().traceId).toBe(id)
    expect(named('octavo.execute').spanContext().traceId).toBe(id)
  })
})
