/** Storage providers of programs without types: a mistake stops the start, and not each upload. */
import { Readable } from 'node:stream'
import { type Logger, silentLogger } from '@octavo/core'
import { createServer } from '@octavo/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localDisk, type StorageProvider, upload } from '../src/index.ts'
import { form, openSite, type Site } from './site.ts'

const provider = {
  name: 'memory',
  put: async () => {},
  url: (key: string) => `https://cdn.example.org/${key}`,
  open: async () => undefined,
  delete: async () => {},
  async *list() {},
}
const { put: _, ...withoutPut } = provider

it.each<[string, unknown, string]>([
  ['without a method', withoutPut, '"memory" has no function "put"'],
  ['without a name', { ...provider, name: undefined }, 'has no text "name"'],
  ['with a start that is no function', { ...provider, start: true }, '"memory" has a "start"'],
  [
    'with an unknown serving',
    { ...provider, serving: { kind: 'proxy' } },
    '"memory" has an unknown "serving"',
  ],
  ['that is not called', localDisk, 'is a function: pass what it returns'],
  ['that is a promise', Promise.resolve(provider), 'is a promise'],
  ['that is a text', 'local', 'is not an object'],
])('A storage provider %s stops the start', async (_name, given, message) => {
  const plugins = [upload({ provider: given as never })]
  await expect(createServer({ plugins, database: 'memory://', logger: silentLogger })).rejects.toThrow(
    `upload: the provider ${message}`,
  )
})

/** The error of a library with a status of its own. */
const foreign = Object.assign(new Error('access key AKIA1 was refused'), { status: 403, expose: true })
const content = 'the text of a file'
const brokenStream = {
  destroy: () => {},
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject('broken') }),
}
const opened = (given: unknown) => () => Promise.resolve(given as never)

describe('A storage provider with a mistake', () => {
  const lines: string[] = []
  const logger: Logger = {
    ...silentLogger,
    error: (fields) => void lines.push((fields as { readonly err: Error }).err.message),
  }
  const stored = new Map<string, string>()
  const right: StorageProvider = {
    name: 'acme',
    put: async (key) => void stored.set(key, content),
    url: (key) => `/uploads/${key}`,
    open: async (key) => {
      const text = stored.get(key)
      return text === undefined ? undefined : { size: text.length, stream: Readable.from([text]) }
    },
    delete: async (key) => void stored.delete(key),
    async *list() {},
    serving: { kind: 'redirect', address: async (key) => `https://cdn.example.org/${key}` },
  }
  let current = right
  let site: Site
  beforeAll(async () => {
    const provider: StorageProvider = {
      name: right.name,
      put: (...given) => current.put(...given),
      url: (key) => current.url(key),
      open: (key) => current.open(key),
      delete: (key) => current.delete(key),
      list: (prefix) => current.list(prefix),
      serving: {
        kind: 'redirect',
        address: async (...given) =>
          current.serving?.kind === 'redirect' ? current.serving.address(...given) : (undefined as never),
      },
    }
    site = await openSite({ provider }, { logger: { ...logger, child: () => logger } })
  })
  afterAll(() => site.close())
  beforeEach(async () => {
    current = right
    await site.server.octavo.store.query('delete from "files"')
    stored.clear()
    lines.length = 0
  })

  const send = (query = '') => site.api.post(`/api/upload${query}`, { body: form([{ content }]) })

  it.each<[string, Partial<StorageProvider>, string]>([
    ['throws a text', { put: () => Promise.reject('no') }, 'failed in put: no'],
    ['throws nothing', { put: () => Promise.reject(undefined) }, 'failed in put: undefined'],
    ['throws an object', { put: () => Promise.reject({ code: 5 }) }, 'failed in put: { code: 5 }'],
    [
      'throws an answer',
      { put: () => Promise.reject(foreign) },
      'failed in put: access key AKIA1 was refused',
    ],
    [
      'has no address',
      { url: () => undefined as never },
      'gave nothing in url, not a text that is an address',
    ],
    ['has an empty address', { url: () => '' }, 'gave an empty text in url, not a text that is an address'],
    [
      'has an address later',
      { url: () => Promise.reject(new Error('late')) as never },
      'gave a promise in url, not a text that is an address',
    ],
  ])('that %s refuses an upload, is named in the log, and leaves nothing', async (_, mistake, message) => {
    current = { ...right, ...mistake }
    const { status, body } = await send()
    expect([status, body.error.message]).toEqual([500, 'Internal Server Error'])
    expect(lines).toEqual([`The storage "acme" ${message}`])
    expect([await site.rows(), stored.size]).toEqual([{ files: 0, links: 0 }, 0])
  })

  it.each<[string, unknown, string]>([
    ['a number', 5, 'gave a number in open, not a { size, stream } or undefined'],
    ['no stream', { size: 3 }, 'gave an object in open, not a { size, stream } or undefined'],
    ['a text', { size: 3, stream: 'abc' }, 'gave an object in open, not a { size, stream } or undefined'],
    ['a stream that throws a text', { size: 3, stream: brokenStream }, 'failed in open: broken'],
  ])('that opens %s refuses a replacement, and the file stays', async (_, given, message) => {
    const { body } = await send()
    current = { ...right, open: opened(given) }
    expect((await send(`?id=${body[0].id}`)).status).toBe(500)
    expect(lines).toEqual([`The storage "acme" ${message}`])
    expect([...stored.keys()]).toEqual([`${body[0].hash}.txt`])
  })

  it('that opens a part of a file only refuses a replacement, and the file stays', async () => {
    const { body } = await send()
    const key = `${body[0].hash}.txt`
    current = { ...right, open: opened({ size: content.length, stream: Readable.from(['the te']) }) }
    expect((await send(`?id=${body[0].id}`)).status).toBe(500)
    expect(lines).toEqual([`The storage "acme" gave 6 bytes of ${key} in open, not ${content.length}`])
    expect([...stored]).toEqual([[key, content]])
  })

  it('that gives no address of a file is named in the log', async () => {
    const { body } = await send()
    current = { ...right, serving: { kind: 'redirect', address: async () => 7 as never } }
    expect((await site.api.get(body[0].url)).status).toBe(500)
    expect(lines).toEqual(['The storage "acme" gave a number in address, not a text that is an address'])
  })
})
