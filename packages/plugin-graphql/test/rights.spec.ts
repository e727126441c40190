/** Rights that the model of rights does not send operations for: the own account, files, localizations, polymorphic links. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, silentLogger, unrestricted } from '@octavo/core'
import { graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, type Loose } from './recorded.ts'

const user = 'plugin::users-permissions.user'
const files = 'plugin::upload.content-api'
const state = unrestricted('fills the tests')

const desk: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'desk', pluralName: 'desks' },
  attributes: {
    name: { type: 'string' },
    price: { type: 'integer' },
    photo: { type: 'media', multiple: false },
    owner: { type: 'relation', relation: 'manyToOne', target: user },
    lamp: { type: 'relation', relation: 'oneToOne', target: 'api::lamp.lamp', inversedBy: 'desk' },
    remarks: { type: 'relation', relation: 'morphMany', target: 'api::remark.remark', morphBy: 'subject' },
  },
}
const remark: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'remark', pluralName: 'remarks' },
  attributes: {
    owner: { type: 'relation', relation: 'manyToOne', target: user },
    subject: { type: 'relation', relation: 'morphToOne' },
  },
}
const localized = { pluginOptions: { i18n: { localized: true } } }
const leaf: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'leaf', pluralName: 'leaves' },
  ...localized,
  attributes: {
    name: { type: 'string', ...localized },
    year: { type: 'integer' },
    owner: { type: 'relation', relation: 'manyToOne', target: user, ...localized },
  },
}
const lamp: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'lamp', pluralName: 'lamps' },
  attributes: {
    name: { type: 'string' },
    desk: { type: 'relation', relation: 'oneToOne', target: 'api::desk.desk', mappedBy: 'lamp' },
  },
}

const label: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'label', pluralName: 'labels' },
  attributes: { name: { type: 'string', required: true }, text: { type: 'string' } },
}

let server: Server
let url: string
let token: string
let close: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  server = await createServer({
    plugins: [
      usersPermissions({
        permissions: {
          authenticated: [
            { action: `${user}.update`, where: { id: '$user.id' } },
            { action: `${user}.find`, where: { id: '$user.id' } },
            { action: `${user}.destroy`, where: { id: '$user.id' } },
            `${user}.me`,
            { action: 'api::desk.desk.find', fields: ['name', 'lamp'] },
            { action: 'api::desk.desk.update', where: { owner: '$user.id' } },
            'api::lamp.lamp.find',
            'api::lamp.lamp.update',
            { action: `${files}.upload`, where: { uploadedBy: '$user.id' } },
            { action: `${files}.find`, where: { uploadedBy: '$user.id', name: { $ne: 'hidden' } } },
            'api::remark.remark.find',
            { action: 'api::remark.remark.update', where: { owner: '$user.id' } },
            'api::leaf.leaf.find',
            { action: 'api::leaf.leaf.update', where: { owner: '$user.id' } },
            { action: `${files}.destroy`, where: { uploadedBy: '$user.id' } },
            'api::label.label.update',
            'api::label.label.delete',
          ],
          public: [{ action: 'api::label.label.find', fields: ['text'] }],
          nameless: [{ action: `${user}.me`, fields: ['email'] }],
        },
      }),
      i18n({ locales: ['en', 'fr'] }),
      upload({ provider: localDisk({ folder }) }),
      graphql(),
    ],
    contentTypes: [desk, lamp, remark, leaf, label],
    database: database.url,
    logger: silentLogger,
    rateLimit: false,
  })
  const { octavo } = server
  for (const [username, type] of [
    ['ada', 'authenticated'],
    ['bob', 'authenticated'],
    ['dan', 'nameless'],
  ]) {
    const [role] = (await octavo.entries('role', state).find({ filters: { type } })).data
    await octavo.entries('user', state).create({
      username,
      email: `${username}@example.org`,
      password: 'Password123',
      provider: 'local',
      confirmed: true,
      role: role?.id,
    })
  }
  const row = { ext: '.txt', mime: 'text/plain', size: 1, provider: 'local', url: '/uploads/x.txt' }
  for (const [i, uploadedBy] of [1, 2].entries())
    await octavo
      .entries('plugin::upload.file', state)
      .create({ ...row, name: `file ${i + 1}`, hash: `h${i}`, uploadedBy })
  for (const [i, owner] of [1, 2].entries()) {
    const { id } = await octavo.entries('lamp', state).create({ name: `lamp ${i + 1}` })
    await octavo.entries('desk', state).create({ name: `desk ${i + 1}`, price: 7, owner, lamp: id })
  }
  for (const owner of [1, 2]) await octavo.entries('remark', state).create({ owner })
  for (const name of ['one', 'two']) await octavo.entries('label', state).create({ name, text: 'a' })
  // The first two are one group, of Ada and Bob; the others are one of Ada alone.
  for (const [i, owner] of [1, 2, 1, 1].entries())
    await octavo.entries('leaf', state).create({ name: 'x', year: 1, owner, locale: i % 2 ? 'fr' : 'en' })
  await octavo.store.query('update "leaves" set "localization_group" = case when "id" < 3 then 1 else 3 end')
  url = (await server.listen(0, '127.0.0.1')).url
  close = async () => {
    await server.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
afterAll(() => close())
// A change of rights ends the sessions of an account.
beforeEach(async () => {
  token = (await logIn('ada', 'jwt')).data.login.jwt
})
const logIn = async (name: string, selected: string): Promise<Loose> =>
  (
    await ask(
      url,
      `mutation { login(input: { identifier: "${name}@example.org", password: "Password123" }) { ${selected} } }`,
    )
  ).body

const send = async (query: string): Promise<Loose> => (await ask(url, query, { token })).body
const account = async (id: number): Promise<readonly unknown[] | undefined> => {
  const columns = '"username", "blocked", "confirmed", "provider", "role_id"'
  const [row] = await server.octavo.store.query(`select ${columns} from "up_users" where "id" = $1`, [id])
  return row
}

describe('The own account (S-06, S-24)', () => {
  it.each(['role: "1"', 'role: "2"', 'blocked: true', 'confirmed: false', 'provider: "github"'])(
    'keeps its authority: %s',
    async (field) => {
      const before = await account(1)
      await send(
        `mutation { updateUsersPermissionsUser(id: 1, data: { username: "ada", ${field} }) { data { id } } }`,
      )
      expect(before).toBeDefined()
      expect(await account(1)).toEqual(before)
    },
  )

  it('has its role, without the permission to read roles', async () => {
    const { data, errors } = await send(
      '{ me { username role { id name description type } } usersPermissionsRoles { data { id } } }',
    )
    expect([data.usersPermissionsRoles, errors[0].extensions.code]).toEqual([null, 'FORBIDDEN'])
    expect(data.me).toEqual({
      username: 'ada',
      role: {
        id: expect.stringMatching(/^\d+$/),
        name: 'Authenticated',
        description: expect.any(String),
        type: 'authenticated',
      },
    })
  })

  it('is not asked about by the operations of everybody, such as a login with the token of an earlier session', async () => {
    const operations = {
      login: '(input: { identifier: "bob", password: "Password123" }) { user { username } }',
      register: '(input: { username: "cyd", email: "no", password: "Password123" }) { user { username } }',
      forgotPassword: '(email: "nobody@example.org") { ok }',
      resetPassword: '(code: "x", password: "Password123", passwordConfirmation: "Password123") { jwt }',
      emailConfirmation: '(confirmation: "x") { jwt }',
    }
    for (const [name, rest] of Object.entries(operations)) {
      const query = `mutation { ${name}${rest} }`
      const { data, errors } = await send(query)
      expect(errors?.[0].extensions.code).not.toBe('FORBIDDEN')
      expect([data, errors]).toEqual([(await ask(url, query)).body.data, (await ask(url, query)).body.errors])
    }
    expect((await send(`mutation { login${operations.login} }`)).data.login.user).toEqual({ username: 'bob' })
    const password = 'currentPassword: "no", password: "Password124", passwordConfirmation: "Password124"'
    const { errors } = await send(`mutation { changePassword(${password}) { user { username } } }`)
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT')
  })

  it('is the only one that changes', async () => {
    const before = await account(2)
    const { data } = await send(
      'mutation { updateUsersPermissionsUser(id: 2, data: { username: "eve" }) { data { id } } }',
    )
    expect(data?.updateUsersPermissionsUser ?? null).toBeNull()
    expect(await account(2)).toEqual(before)
    const { data: own } = await send(
      'mutation { updateUsersPermissionsUser(id: 1, data: { username: "ada2" }) { data { id } } }',
    )
    expect(own.updateUsersPermissionsUser.data.id).toBe('1')
  })

  it('is the only one that is deleted; another one, and one that does not exist, are null without an error', async () => {
    const before = await account(2)
    for (const id of ['2', '999', '"x"'])
      expect(await send(`mutation { deleteUsersPermissionsUser(id: ${id}) { data { id } } }`)).toEqual({
        data: { deleteUsersPermissionsUser: { data: null } },
      })
    expect(await account(2)).toEqual(before)
  })
})

describe('Root fields of one operation', () => {
  it('have the rights that each has alone', async () => {
    const fields = [
      'uploadFiles { data { id attributes { name } } }',
      'desks { data { id attributes { name price lamp { data { id } } } } }',
      'usersPermissionsUsers { data { id attributes { username } } }',
      'lamps { data { id attributes { name } } }',
    ]
    const alone: Record<string, unknown> = {}
    for (const field of fields) Object.assign(alone, (await send(`{ ${field} }`)).data)
    expect((await send(`{ ${fields.join(' ')} }`)).data).toEqual(alone)
    expect((await send(`{ ${fields.toReversed().join(' ')} }`)).data).toEqual(alone)
  })
})

describe('Files of others (S-33)', () => {
  const names = async (): Promise<readonly unknown[]> =>
    (await server.octavo.entries('plugin::upload.file', state).find({ sort: 'id' })).data.map(
      ({ attributes }) => attributes.name,
    )

  it('are neither renamed, removed nor shown', async () => {
    const rename = (id: number): string =>
      `mutation { updateFileInfo(id: ${id}, info: { name: "mine" }) { data { id attributes { name } } } }`
    expect((await send(rename(2))).errors).toHaveLength(1)
    expect(await send('mutation { removeFile(id: 2) { data { id } } }')).toEqual({
      data: { removeFile: null },
    })
    expect((await send('{ uploadFiles { data { id } } }')).data.uploadFiles.data).toEqual([{ id: '1' }])
    expect(await names()).toEqual(['file 1', 'file 2'])
    expect((await send(rename(1))).data.updateFileInfo.data.attributes.name).toBe('mine')
    expect(await names()).toEqual(['mine', 'file 2'])
  })
})

describe('A mutation', () => {
  it('attaches no file that the caller may not find (S-33)', async () => {
    const attach = (id: number): Promise<Loose> =>
      send(`mutation { updateDesk(id: 1, data: { photo: ${id} }) { data { id } } }`)
    expect((await attach(2)).errors).toHaveLength(1)
    expect((await attach(1)).errors).toBeUndefined()
  })

  it('answers without values that the caller may write and not read', async () => {
    const body = await send(
      'mutation { updateDesk(id: 1, data: { name: "mine" }) { data { id attributes { name price } } } }',
    )
    expect(JSON.stringify(body)).not.toContain('7')
  })

  it('that selects a value that the caller may not read is refused, and writes nothing', async () => {
    const { data, errors } = await send(
      'mutation { updateDesk(id: 1, data: { name: "unseen" }) { data { id attributes { name price } } } }',
    )
    expect([data, errors?.[0].extensions.error.details.code]).toEqual([
      { updateDesk: null },
      'query/unknown-attribute',
    ])
    const unseen = await server.octavo.entries('desk', state).find({ filters: { name: 'unseen' } })
    expect(unseen.data).toEqual([])
  })

  it('takes no child of a one-to-one relation from an entry that the caller may not change (S-22)', async () => {
    const lamps = async (): Promise<readonly unknown[]> =>
      (await server.octavo.entries('desk', state).find({ sort: 'id', populate: { lamp: true } })).data.map(
        ({ attributes }: Loose) => attributes.lamp.data?.id,
      )
    const { errors } = await send('mutation { updateDesk(id: 1, data: { lamp: 2 }) { data { id } } }')
    expect(errors?.[0].extensions.code).toBe('FORBIDDEN')
    expect(await lamps()).toEqual([1, 2])
    expect(
      (await send('mutation { updateDesk(id: 1, data: { lamp: null }) { data { id } } }')).errors,
    ).toBeUndefined()
    expect(await lamps()).toEqual([undefined, 2])
  })
})

describe('A value that the schema requires and that the caller may not read', () => {
  const refused = (key: string, field: string): readonly object[] => [
    {
      message: expect.stringContaining(field),
      path: [key],
      extensions: {
        code: 'FORBIDDEN',
        field: key,
        error: {
          name: 'ForbiddenError',
          message: expect.stringContaining(field),
          details: { code: 'graphql/hidden-value' },
        },
      },
    },
  ]

  it.each(['updateLabel(id: 1, data: { text: "b" })', 'deleteLabel(id: 2)'])(
    'is a refusal of the value in the answer of %s, which has the id of the entry',
    async (mutation) => {
      const [key = ''] = mutation.split('(')
      const { data, errors } = await send(`mutation { ${mutation} { data { id attributes { name text } } } }`)
      const id = /id: (\d)/.exec(mutation)?.[1]
      expect([data, errors]).toEqual([
        { [key]: { data: { id, attributes: null } } },
        refused(key, 'Label.name'),
      ])
      const { data: left } = await server.octavo.entries('label', state).find({ sort: 'id' })
      expect(left.map(({ attributes }) => attributes.text)).toEqual(
        key === 'updateLabel' ? ['b', 'a'] : ['b'],
      )
    },
  )

  it('is a refusal in the answer of a query', async () => {
    const { body } = await ask(url, '{ labels { data { id attributes { name text } } } }')
    expect(body.errors[0]).toEqual(refused('labels', 'Label.name')[0])
    expect(body.data.labels.data[0]).toEqual({ id: '1', attributes: null })
  })

  it('is a refusal in the own account, and in that of a login', async () => {
    const { jwt } = (await logIn('dan', 'jwt')).data.login
    const { body } = await ask(url, '{ me { id email username } }', { token: jwt })
    expect([body.data, body.errors]).toEqual([{ me: null }, refused('me', 'UsersPermissionsMe.username')])
    const { body: allowed } = await ask(url, '{ me { id email } }', { token: jwt })
    expect(allowed).toEqual({ data: { me: { id: '3', email: 'dan@example.org' } } })
    const { data, errors } = await logIn('dan', 'jwt user { id email username }')
    expect([data, errors]).toEqual([null, refused('login', 'UsersPermissionsMe.username')])
  })
})

describe('A mutation of an entry changes no other one without the right to update it (S-22)', () => {
  const codeOf = ({ errors }: Loose): unknown => errors?.[0].extensions.code

  it('that is its localization', async () => {
    const years = async (): Promise<readonly unknown[]> =>
      (await server.octavo.store.query('select "year" from "leaves" order by "id"')).flat().map(Number)
    const change = (id: number): Promise<Loose> =>
      send(`mutation { updateLeaf(id: ${id}, data: { year: 2 }) { data { id } } }`)
    expect(codeOf(await change(1))).toBe('FORBIDDEN')
    expect(await years()).toEqual([1, 1, 1, 1])
    expect(codeOf(await change(3))).toBeUndefined()
    expect(await years()).toEqual([1, 1, 2, 2])
  })

  it('that a polymorphic relation links to it', async () => {
    const remarks = async (): Promise<readonly unknown[]> => {
      const populate = { remarks: true } as const
      const { data } = await server.octavo.entries('desk', state).find({ sort: 'id', populate })
      return data.map(({ attributes }: Loose) => attributes.remarks.data.map(({ id }: Loose) => id))
    }
    const link = (id: number): Promise<Loose> =>
      send(`mutation { updateDesk(id: 1, data: { remarks: [${id}] }) { data { id } } }`)
    expect(codeOf(await link(2))).toBe('FORBIDDEN')
    expect(await remarks()).toEqual([[], []])
    expect(codeOf(await link(1))).toBeUndefined()
    expect(await remarks()).toEqual([[1], []])
  })
})

describe('An upload (S-33)', () => {
  const sendFile = async (query: string, variables: object, place: string): Promise<Loose> => {
    const form = new FormData()
    form.append('operations', JSON.stringify({ query, variables }))
    form.append('map', JSON.stringify({ 0: [place] }))
    form.append('0', new Blob(['hello'], { type: 'text/plain' }), 'hidden')
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: form })).json()
  }
  const uploading =
    'mutation ($file: Upload!, $info: FileInfoInput) { upload(file: $file, info: $info) { data { id attributes { name caption url } } } }'

  it('shows no file in its answer that find hides', async () => {
    const info = (name: string): object => ({ name, caption: 'a caption' })
    const seen = await sendFile(uploading, { file: null, info: info('seen') }, 'variables.file')
    expect(seen.data.upload.data.attributes.caption).toBe('a caption')
    const hidden = await sendFile(uploading, { file: null, info: info('hidden') }, 'variables.file')
    expect(JSON.stringify(hidden)).not.toMatch(/a caption|uploads/)
    expect(hidden.errors.map(({ extensions }: Loose) => extensions.code)).toEqual(['FORBIDDEN'])
    const { id } = seen.data.upload.data
    const rename = `mutation { updateFileInfo(id: ${id}, info: { name: "hidden" }) { data { id attributes { caption } } } }`
    expect(JSON.stringify(await send(rename))).not.toContain('a caption')
  })
})
