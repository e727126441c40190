/** The hook by which other plugins change the schema. */
import { definePlugin } from '@octavo/core/plugin'
import type { GraphqlExtension } from '@octavo/server'
import { afterEach, expect, it } from 'vitest'
import { ask, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer | undefined
afterEach(() => running?.close())

const using = (name: string, ...extensions: readonly GraphqlExtension[]) =>
  definePlugin({
    name,
    setup(host) {
      host.hook('server:graphql', (schema) => {
        for (const extension of extensions) schema.use(extension)
        schema.disable('api::tag.tag')
      })
    },
  })

it('Plugins add types and operations, use those of plugins before them, and leave parts out', async () => {
  const shelf: GraphqlExtension = { typeDefs: 'type Shelf { name: String! }' }
  const shelves: GraphqlExtension = {
    typeDefs: 'extend type Query { shelf(name: String = "a"): Shelf!, secretShelf: Shelf }',
    resolvers: { Query: { shelf: (_parent, { name }) => ({ name }), secretShelf: () => ({ name: 'b' }) } },
    actions: { secretShelf: 'api::profile.profile.find' },
  }
  running = await recordedServer({}, [using('shelf-types', shelf), using('shelf-operations', shelves)])
  const { body } = await ask(running.url, '{ shelf { name } secretShelf { name } }')
  expect(body.data).toEqual({ shelf: { name: 'a' }, secretShelf: null })
  expect(body.errors[0].extensions.code).toBe('FORBIDDEN')
  const { body: none } = await ask(running.url, '{ tags { data { id } } }')
  expect(none.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')

  const command = running.server.octavo.commands.get('graphql schema')
  const printed: string[] = []
  await command?.run(running.server.octavo, new Set(), (line) => printed.push(line))
  expect(printed.join('\n')).toContain('type Shelf {')
  expect(printed.join('\n')).not.toContain('type Tag ')
})

it.each([
  [{ typeDefs: 'extend type Query { a: Nope }' }, 'the plugin "wrong": Unknown type "Nope"'],
  [
    { typeDefs: 'extend type Query { a: Int }', actions: { a: 'nope' } },
    'the plugin "wrong": a needs the action "nope"',
  ],
  [
    { typeDefs: 'extend type Query { a: Int }', resolvers: { Query: { b: () => 1 } } },
    'the plugin "wrong": there is no field Query.b',
  ],
])('A mistake stops the start and names the plugin', async (extension, message) => {
  const right = using('right', { typeDefs: 'extend type Query { fine: Int }' })
  await expect(recordedServer({}, [right, using('wrong', extension)])).rejects.toThrow(message)
})
