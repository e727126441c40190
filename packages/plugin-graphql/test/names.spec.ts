import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server, type ServerOptions } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { buildSchema } from 'graphql'
import { expect, it } from 'vitest'
import { printedSchema } from '../src/schema/printed.ts'
import { schemaText } from '../src/schema/schema-text.ts'

/** A collection type; its plural name has an `s` more. */
const named = (
  name: string,
  attributes: ContentTypeDefinition['attributes'] = { name: { type: 'string' } },
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s` },
  attributes,
})

const localized = (name: string): ContentTypeDefinition => ({
  ...named(name, { name: { type: 'string', pluginOptions: { i18n: { localized: true } } } }),
  pluginOptions: { i18n: { localized: true } },
})

/** Runs a test with a server that has GraphQL. */
async function withServer(
  options: ServerOptions,
  test: (server: Server, client: Client) => Promise<void>,
): Promise<void> {
  const database = await createTestDatabase()
  try {
    const server = await createServer({
      database: database.url,
      access: 'open',
      rateLimit: false,
      ...options,
      plugins: [graphql(), ...(options.plugins ?? [])],
    })
    try {
      const { url } = await server.listen(0, '127.0.0.1')
      await test(server, createClient(url))
    } finally {
      await server.close()
    }
  } finally {
    await database.drop()
  }
}

it('A content-type with names that GraphQL does not have starts, and its values are those of REST', () => {
  const car = named('car', {
    fuel: { type: 'enumeration', enum: ['бензин', 'дизель'] },
    drive: { type: 'enumeration', enum: ['4x4', '2x4'] },
    electric: { type: 'enumeration', enum: ['true', 'false', 'null'] },
    'brand-name': { type: 'string' },
  })
  return withServer({ contentTypes: [car] }, async ({ octavo }, client) => {
    const state = unrestricted('fills the test')
    await octavo
      .entries('car', state)
      .create({ fuel: 'дизель', drive: '4x4', electric: 'false', 'brand-name': 'Volga' })
    const query =
      '{ cars { data { attributes { fuel drive electric } } } __type(name: "Car") { fields { name } } }'
    const { body } = await client.post('/graphql', { body: { query } })
    expect(body.data.cars.data).toEqual([{ attributes: { fuel: 'dizel', drive: '4x4', electric: 'false' } }])
    const names = body.data.__type.fields.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['fuel', 'drive', 'electric', 'createdAt', 'updatedAt'])
  })
})

it('Attributes with the names of the joins of filters are read and written, and filters have the joins', () => {
  const gate = named('gate', {
    and: { type: 'string' },
    or: { type: 'relation', relation: 'oneToOne', target: 'api::gate.gate' },
    not: { type: 'component', component: 'shared.not' },
    size: { type: 'integer' },
  })
  const components = [{ uid: 'shared.not', attributes: { not: { type: 'boolean' as const } } }]
  return withServer({ contentTypes: [gate], components }, async (_server, client) => {
    const create =
      'mutation { createGate(data: { and: "a", size: 2, not: { not: true } }) { data { attributes { and not { not } } } } }'
    const { body: made } = await client.post('/graphql', { body: { query: create } })
    expect(made).toEqual({
      data: { createGate: { data: { attributes: { and: 'a', not: { not: true } } } } },
    })
    const query = `{
      some: gates(filters: { or: [{ size: { eq: 1 } }, { not: { size: { eq: 1 } } }] }) { data { id } }
      none: gates(filters: { and: [{ size: { eq: 1 } }, { size: { eq: 2 } }] }) { data { id } }
    }`
    const { body } = await client.post('/graphql', { body: { query } })
    expect(body).toEqual({ data: { some: { data: [{ id: '1' }] }, none: { data: [] } } })
  })
})

const withAccounts = [usersPermissions(), upload({ provider: localDisk({ folder: 'unused' }) }), i18n()]

it.each([
  ['query', [named('query')], 'api::query.query and GraphQL itself would both have the type Query'],
  [
    'file-info',
    [named('file-info')],
    'api::file-info.file-info and GraphQL itself would both have the type FileInfoInput',
  ],
  [
    'users-permissions-me',
    [named('users-permissions-me')],
    'api::users-permissions-me.users-permissions-me and GraphQL itself would both have the type UsersPermissionsMe',
  ],
  ['me', [named('me')], 'api::me.me and GraphQL itself would both have the operation Query.me'],
  [
    'x-localization',
    [localized('x'), named('x-localization')],
    'api::x-localization.x-localization and api::x.x would both have the operation Mutation.createXLocalization',
  ],
])('A name that is taken stops the start, and the message has both: %s', async (_, contentTypes, message) => {
  const started = withServer({ contentTypes, plugins: withAccounts }, async () => {})
  await expect(started).rejects.toThrow(message)
})

it('A content-type named subscription is no root of the printed schema', () =>
  withServer({ contentTypes: [named('subscription')] }, async ({ octavo }) => {
    const schema = buildSchema(printedSchema(schemaText(octavo)))
    expect(schema.getSubscriptionType()?.name).toBeUndefined()
    expect(schema.getType('Subscription')).toBeDefined()
    expect(schema.getMutationType()?.name).toBe('Mutation')
  }))

it('An attribute that only programs write is in no input, and in every answer', () => {
  const rated = { rate: { type: 'integer', writable: false }, unit: { type: 'string' } } as const
  const account = named('account', {
    name: { type: 'string' },
    balance: { type: 'integer', default: 0, writable: false },
    terms: { type: 'component', component: 'bank.terms' },
  })
  const components = [{ uid: 'bank.terms', attributes: rated }]
  return withServer({ contentTypes: [account], components }, async ({ octavo }, client) => {
    const lines = printedSchema(schemaText(octavo))
    const fieldsOf = (input: string) =>
      [...(lines.split(`input ${input} {`)[1]?.split('}')[0] ?? '').matchAll(/(\w+):/g)].map(
        ([, name]) => name,
      )
    expect(fieldsOf('AccountInput')).toEqual(['name', 'terms'])
    expect(fieldsOf('ComponentBankTermsInput')).toEqual(['id', 'unit'])
    const create = async (data: string) => {
      const query = `mutation { createAccount(data: ${data}) { data { attributes { name balance } } } }`
      return (await client.post('/graphql', { body: { query } })).body
    }
    expect((await create('{ name: "Ada", balance: 5 }')).errors[0].message).toMatch(
      /"balance" is not defined/,
    )
    const attributes = { name: 'Ada', balance: 0 }
    expect(await create('{ name: "Ada" }')).toEqual({ data: { createAccount: { data: { attributes } } } })
  })
})
