/** Uploads by multipart requests. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type Loose, login, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
let token: string
beforeAll(async () => {
  running = await recordedServer()
  const { octavo } = running.server
  const { unrestricted } = await import('@octavo/core')
  const state = unrestricted('the test grants the permission')
  const { data } = await octavo
    .entries('plugin::users-permissions.role', state)
    .find({ filters: { type: 'authenticated' } })
  for (const action of ['upload', 'destroy'])
    await octavo
      .entries('plugin::users-permissions.permission', state)
      .create({ action: `plugin::upload.content-api.${action}`, role: data[0]?.id ?? 0 })
  token = await login(running.url)
})
afterAll(() => running.close())

/** @param files The places of each file in the variables, and its text. */
async function send(
  query: string,
  variables: object,
  files: Readonly<Record<string, readonly [places: string | readonly string[], text: string]>>,
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
): Promise<{ readonly status: number; readonly body: Loose }> {
  const form = new FormData()
  form.append('operations', JSON.stringify({ query, variables }))
  const map = Object.entries(files).map(([part, [places]]) => [part, [places].flat()])
  form.append('map', JSON.stringify(Object.fromEntries(map)))
  for (const [part, [, text]] of Object.entries(files))
    form.append(part, new Blob([text], { type: 'text/plain' }), `${part}.txt`)
  const response = await fetch(`${running.url}/graphql`, { method: 'POST', headers, body: form })
  return { status: response.status, body: await response.json() }
}

const one =
  'mutation ($file: Upload!, $info: FileInfoInput) { upload(file: $file, info: $info) { data { id attributes { name caption size mime } } } }'

it('A file is stored as the route of REST stores it, and can be removed', async () => {
  const { body } = await send(one, { file: null, info: { caption: 'c' } }, { 0: ['variables.file', 'hello'] })
  const { id, attributes } = body.data.upload.data
  expect(attributes).toEqual({ name: '0.txt', caption: 'c', size: 0.01, mime: 'text/plain' })
  const removed = await ask(running.url, `mutation { removeFile(id: ${id}) { data { id } } }`, { token })
  expect(removed.body).toEqual({ data: { removeFile: { data: { id } } } })
})

it('A file that does not exist is null for its removal, without an error', async () => {
  for (const id of ['999999', '"x"']) {
    const { status, body } = await ask(running.url, `mutation { removeFile(id: ${id}) { data { id } } }`, {
      token,
    })
    expect([status, body]).toEqual([200, { data: { removeFile: null } }])
  }
})

it.each([
  ['an input object', 'info', { info: null }],
  ['a member of it', 'info.name', { info: { name: null } }],
])('A file in place of %s is refused', async (_, place, given) => {
  const { status, body } = await send(
    'mutation ($info: FileInfoInput) { updateFileInfo(id: 1, info: $info) { data { id } } }',
    given,
    { 0: [`variables.${place}`, 'x'] },
  )
  expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT'])
})

const several =
  'mutation ($files: [Upload]!) { multipleUpload(files: $files) { data { attributes { name url } } } }'

it('Several files come in one request', async () => {
  const { body } = await send(
    several,
    { files: [null, null] },
    { a: ['variables.files.0', 'x'], b: ['variables.files.1', 'y'] },
  )
  expect(body.data.multipleUpload.map((file: Loose) => file.data.attributes.name)).toEqual(['a.txt', 'b.txt'])
})

it('An empty list of files is answered with an empty list', async () => {
  const { body } = await ask(running.url, several, { token, variables: { files: [] } })
  expect(body).toEqual({ data: { multipleUpload: [] } })
})

it('A file at several places is stored at each', async () => {
  const { body } = await send(
    several,
    { files: [null, null, null] },
    { a: [['variables.files.0', 'variables.files.2'], 'x'], b: ['variables.files.1', 'y'] },
  )
  const stored = body.data.multipleUpload.map((file: Loose) => file.data.attributes)
  expect(stored.map(({ name }: Loose) => name)).toEqual(['a.txt', 'b.txt', 'a.txt'])
  const texts = stored.map(async ({ url }: Loose) => (await fetch(running.url + url)).text())
  expect(await Promise.all(texts)).toEqual(['x', 'y', 'x'])
})

it('The places of files are as many as a request may have files', async () => {
  const places = Array.from({ length: 21 }, (_, i) => `variables.files.${i}`)
  const { status, body } = await send(several, { files: places.map(() => null) }, { a: [places, 'x'] })
  expect([status, body.errors[0].message]).toEqual([400, '`map` names more than 20 places.'])
})

it('A file that two fields use is refused to the second', async () => {
  const twice = `mutation ($file: Upload!) {
    first: upload(file: $file) { data { attributes { name } } }
    again: upload(file: $file) { data { attributes { name } } }
  }`
  const { body } = await send(twice, { file: null }, { 0: ['variables.file', 'x'] })
  expect(body.errors).toMatchObject([
    {
      message:
        'The operation uses the file "0.txt" twice. Give each use a variable, and list the places of all in `map`.',
      extensions: {
        code: 'BAD_USER_INPUT',
        field: 'again',
        error: { details: { code: 'graphql/used-file' } },
      },
    },
  ])
})

it.each([
  ['without a header that forms cannot send', {}, 400],
  ['of a caller who may not upload', { 'apollo-require-preflight': 'true' }, 403],
])('A multipart request %s is refused', async (_, headers, status) => {
  expect((await send(one, { file: null }, { 0: ['variables.file', 'x'] }, headers)).status).toBe(status)
})

it.each([
  ['query', 'x'],
  ['variables.nope', 'x'],
  ['variables.__proto__.file', 'x'],
])('A file at %s is refused', async (place, text) => {
  expect((await send(one, { file: null }, { 0: [place, text] })).status).toBe(400)
})
