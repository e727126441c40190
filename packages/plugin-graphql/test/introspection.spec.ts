/** Bounds of introspection where it is on. */
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
beforeAll(async () => {
  running = await recordedServer({ introspection: true })
})
afterAll(() => running.close())

const tools = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
})
const aliases = (count: number, selection: string): string =>
  Array.from({ length: count }, (_, i) => `a${i}: ${selection}`).join(' ')
const typeOf = 'type { name ofType { name ofType { name ofType { name ofType { name } } } } }'
const whole = `__schema { types { name fields { name args { name ${typeOf} } ${typeOf} } inputFields { name ${typeOf} } } }`

it.each([
  ['the introspection of tools', tools],
  ['a hundred single types', `{ ${aliases(100, '__type(name: "Article") { name fields { name } }')} }`],
])('%s is answered', async (_name, query) => {
  const { status, body } = await ask(running.url, query)
  expect([status, body.errors]).toEqual([200, undefined])
})

it.each([
  ['under twenty aliases', `{ ${aliases(20, whole)} }`],
  [
    'with aliases in fragments',
    `{ ${aliases(20, '__schema { ...f }')} } fragment f on __Schema { types { fields { args { ${typeOf} } } } }`,
  ],
  [
    'with the fields of the types of all fields, under aliases',
    `{ __schema { types { ${aliases(20, 'fields { type { fields { name type { name } } } }')} } } }`,
  ],
  ['beside entries', `{ authors { data { id } } ${aliases(20, whole)} }`],
])('The whole schema %s is refused', async (_name, query) => {
  const { status, body } = await ask(running.url, query)
  expect([status, body.errors?.[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED'])
  expect(body.errors[0].message).toContain('asks for the schema too many times')
})
