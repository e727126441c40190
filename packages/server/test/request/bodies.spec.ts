import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ body: { fields: 5 } })
})
afterAll(() => site.close())

const shown = 'fields[0]=title&fields[1]=views'

const send = (
  body: string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams,
  headers: Record<string, string> = {},
  method = 'POST',
  path = `/api/articles?${shown}`,
) =>
  fetch(site.url + path, { method, body, headers }).then(async (response) => ({
    status: response.status,
    body: (await response.json()) as ReturnType<typeof JSON.parse>,
  }))

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const multipart = { 'content-type': 'multipart/form-data; boundary=xyz' }
const part = (name: string, value: string, more = '') =>
  `--xyz\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const end = '--xyz--\r\n'

/** The answer is a clear 4xx, with nothing of ours in it. */
function refused(
  { status, body }: { status: number; body: ReturnType<typeof JSON.parse> },
  expected: number,
  message: RegExp,
) {
  expect([status, body]).toEqual([
    expected,
    {
      data: null,
      error: expect.objectContaining({ status: expected, message: expect.stringMatching(message) }),
    },
  ])
}

describe('POST, PUT and DELETE', () => {
  it.each([
    ['JSON', JSON.stringify({ data: { title: 'A' } }), JSON.stringify({ data: { views: 3 } }), json],
    [
      'JSON with its charset and a byte order mark',
      '\ufeff{"data":{"title":"A"}}',
      '\ufeff{"data":{"views":3}}',
      { 'content-type': 'application/json;charset=UTF-8' },
    ],
    [
      'JSON of another media type',
      '{"data":{"title":"A"}}',
      '{"data":{"views":3}}',
      { 'content-type': 'application/vnd.api+json' },
    ],
    ['a form', 'data[title]=A', 'data[views]=3', form],
    ['a form with JSON', `data=${encodeURIComponent('{"title":"A"}')}`, 'data={"views":3}', form],
    ['multipart', part('data', '{"title":"A"}') + end, part('data', '{"views":3}') + end, multipart],
  ])('take %s', async (_name, create, update, headers) => {
    const made = await send(create, headers)
    expect([made.status, made.body.data.attributes]).toEqual([200, { title: 'A', views: null }])
    const path = `/api/articles/${made.body.data.id}?${shown}`
    const changed = await send(update, headers, 'PUT', path)
    expect([changed.status, changed.body.data.attributes]).toEqual([200, { title: 'A', views: 3 }])
    const deleted = await send('', headers, 'DELETE', path)
    expect([deleted.status, deleted.body.data.attributes]).toEqual([200, { title: 'A', views: 3 }])
    expect((await site.api.get(path)).status).toBe(404)
  })

  it('skip the files of a multipart body without a handler', async () => {
    const file = part('files.cover', 'x'.repeat(100_000), '; filename="a.png"')
    const { status, body } = await send(file + part('data', '{"title":"With a file"}') + end, multipart)
    expect([status, body.data.attributes.title]).toEqual([200, 'With a file'])
    await site.api.delete(`/api/articles/${body.data.id}`)
  })

  it('take a field that has a type, and leave no file of it behind', async () => {
    const { status, body } = await send(
      part('data', '{"title":"Typed"}', '\r\nContent-Type: application/json') + end,
      multipart,
    )
    expect([status, body.data.attributes.title]).toEqual([200, 'Typed'])
    await site.api.delete(`/api/articles/${body.data.id}`)
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('take a body in %s', async (encoding, pack) => {
    const packed = new Uint8Array(pack(JSON.stringify({ data: { title: encoding } })))
    const { status, body } = await send(packed, { ...json, 'content-encoding': encoding })
    expect([status, body.data.attributes.title]).toEqual([200, encoding])
    await site.api.delete(`/api/articles/${body.data.id}`)
  })
})

describe('A body is refused', () => {
  it('with an unsupported content type', async () => {
    refused(await send('<data/>', { 'content-type': 'application/xml' }), 400, /Missing "data"/)
    refused(await send('data', { 'content-type': 'text/plain' }), 400, /Missing "data"/)
  })

  it.each([
    ...['{', '[1', '{"data":{"title":"a"},}', '"text"', 'null'],
    ...['{"__proto__":{"x":1},"data":{}}', '{"data":{"title":"a","seo":{"\\u005f_proto__":{"x":1}}}}'],
  ])('when it is no JSON object: %s', async (text) => {
    const answer = await send(text, json)
    refused(answer, 400, /./)
    expect(answer.body.error.name).toBe('SyntaxError')
  })

  const comma = 'The body is not valid JSON: line 2, column 3: expected a comma or the closing bracket.'
  const broken = '{"data":{"title":"a"}\n  "x":1}'

  it.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, string, object]>([
    ['JSON', broken, json, comma, { line: 2, column: 3 }],
    ['JSON with a byte order mark', `\ufeff${broken}`, json, comma, { line: 2, column: 3 }],
    [
      'packed JSON',
      new Uint8Array(gzipSync(broken)),
      { ...json, 'content-encoding': 'gzip' },
      comma,
      { line: 2, column: 3 },
    ],
    ['JSON that nests too deeply', '['.repeat(300_000), json, 'The body is not valid JSON.', {}],
    ['long JSON', `${broken}${' '.repeat(100_000)}`, json, 'The body is not valid JSON.', {}],
    ['a text', '"text"', json, 'The body is JSON, but no object or list.', {}],
    [
      'a packed text',
      new Uint8Array(gzipSync('"text"')),
      { ...json, 'content-encoding': 'gzip' },
      'The body is JSON, but no object or list.',
      {},
    ],
    [
      'a prototype',
      '{"__proto__":{}}',
      json,
      'The body has a member "__proto__", which no body may have.',
      {},
    ],
  ])('with the place of the mistake: %s', async (_what, text, headers, message, place) => {
    const { status, body } = await send(text, headers)
    expect([status, body.error]).toEqual([
      400,
      { status: 400, name: 'SyntaxError', message, details: { code: 'body/malformed', ...place } },
    ])
  })

  const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
  const other = (name: string, line: number) =>
    `${name} is not in UTF-8: line ${line} has a byte that begins no character.`

  it.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, string]>([
    ['JSON', latin1('{"data":\n{"title":"Caf\u00e9"}}'), json, other('The body', 2)],
    [
      'JSON that names its charset',
      latin1('{"data":{"title":"Caf\u00e9"}}'),
      { 'content-type': 'application/json; charset=iso-8859-1' },
      other('The body', 1),
    ],
    [
      'half a character',
      new Uint8Array([...Buffer.from('{"data":{"title":"Caf'), 0xc3, ...Buffer.from('"}}')]),
      json,
      other('The body', 1),
    ],
    [
      'a field of a multipart body',
      latin1(part('data', '{"title":"Caf\u00e9"}') + end),
      multipart,
      other('The field "data"', 1),
    ],
    [
      'an escape in a form',
      'data[title]=Caf%E9',
      form,
      'The form has a % that begins no character of UTF-8. The sign itself is written as %25.',
    ],
  ])('when its text is not in UTF-8: %s', async (_what, bytes, headers, message) => {
    const before = await site.api.get('/api/articles')
    refused(await send(bytes, headers), 400, new RegExp(`^${message.replaceAll('.', '\\.')}$`))
    expect((await site.api.get('/api/articles')).body).toEqual(before.body)
  })

  it.each<[string, string, Record<string, string>]>([
    ['JSON', '{"data":{"title":"Caf\u00e9 \ufffd \u{1f600}"}}', json],
    [
      'JSON that names another charset',
      '{"data":{"title":"Caf\u00e9 \ufffd \u{1f600}"}}',
      { 'content-type': 'application/json ; charset=iso-8859-1' },
    ],
    ['multipart', part('data', '{"title":"Caf\u00e9 \ufffd \u{1f600}"}') + end, multipart],
    ['a form', `data[title]=${encodeURIComponent('Caf\u00e9 \ufffd')}+%F0%9F%98%80`, form],
  ])('but not for characters of any language, nor for U+FFFD: %s', async (_what, text, headers) => {
    const { body } = await send(text, headers)
    expect(body.data.attributes.title).toBe('Caf\u00e9 \ufffd \u{1f600}')
    await site.api.delete(`/api/articles/${body.data.id}`)
  })

  it('when `data` of a form is not JSON', async () => {
    refused(
      await send('data={"title"', form),
      400,
      /^The field "data" is not valid JSON: line 1, column 9: expected a colon\.$/,
    )
  })

  it('when a form has more parameters, or brackets, than are read: none is cut off silently', async () => {
    const many = Array.from({ length: 5 }, (_, i) => `data[x${i}]=1`).join('&')
    refused(await send(`data[title]=A&${many}`, form), 400, /5 parameters/)
    refused(await send(`data${'[a]'.repeat(50)}=1`, form), 400, /20/)
  })

  it('when it is too large, packed or not, in any form', async () => {
    const big = 'x'.repeat(1_100_000)
    const text = JSON.stringify({ data: { title: big } })
    refused(await send(text, json), 413, /1048576 bytes/)
    refused(
      await send(new Uint8Array(gzipSync(text)), { ...json, 'content-encoding': 'gzip' }),
      413,
      /1048576 bytes/,
    )
    refused(await send(`data[title]=${big}`, form), 413, /1048576 bytes/)
    refused(await send(part('data', text) + end, multipart), 413, /1048576 bytes/)
  })

  it('when multipart has too many fields', async () => {
    const fields = Array.from({ length: 6 }, (_, i) => part(`f${i}`, '1')).join('')
    refused(await send(fields + end, multipart), 413, /5 fields/)
  })

  it('when multipart is malformed', async () => {
    refused(await send('nonsense', multipart), 400, /cannot be read/)
    refused(await send(part('data', '{}'), multipart), 400, /cannot be read/)
    refused(await send(end, { 'content-type': 'multipart/form-data' }), 400, /cannot be read/)
  })

  it('when it does not match its Content-Encoding', async () => {
    refused(await send('plain', { ...json, 'content-encoding': 'gzip' }), 400, /cannot be read/)
    refused(await send('{}', { ...json, 'content-encoding': 'zip' }), 415, /./)
  })

  it('when it is deeper than any value may be', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    for (const name of ['title', 'author', 'seo', 'nothing']) {
      const text = `{"data":{"title":"A","${name}":${deep(100_000)}}}`
      refused(await send(text, json), 400, /256 levels/)
      refused(
        await send(`{"data":{"author":${'{"id":'.repeat(50_000)}1${'}'.repeat(50_000)}}}`, json),
        400,
        /256/,
      )
    }
    const { status, body } = await send(`{"data":{"title":"A","nothing":${deep(254)}}}`, json)
    expect(status).toBe(200)
    await site.api.delete(`/api/articles/${body.data.id}`)
    refused(await send(`{"data":{"title":"A","nothing":${deep(255)}}}`, json), 400, /256/)
    refused(await send(`data={"title":${deep(1_000)}}`, form), 400, /256/)
  })
})

it('No refusal of a body was logged as an internal error', () => {
  expect(site.log.filter(({ level }) => level === 'error')).toEqual([])
})
