/** Entries that one body connects at several places come to be where they were if each were connected alone. */
import { createOctavo, defineContentType, type Octavo, unrestricted } from '@octavo/core'
import { createTestDatabase, runs, type TestDatabase } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Random cases repeat their writes, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

type Position =
  | { readonly start: true }
  | { readonly end: true }
  | { readonly before: number }
  | { readonly after: number }

interface Connection {
  readonly id: number
  readonly position: Position
}

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})
const named = (singularName: string, attributes: object) =>
  defineContentType({
    kind: 'collectionType',
    info: { singularName, pluralName: `${singularName}s` },
    attributes: { name: { type: 'string' }, ...attributes },
  })
const contentTypes = [
  named('tag', {
    page: relation('manyToOne', 'page', { inversedBy: 'parts' }),
    pages: relation('manyToMany', 'page', { mappedBy: 'tags' }),
    friends: relation('manyToMany', 'page', { inversedBy: 'friends' }),
  }),
  named('page', {
    parts: relation('oneToMany', 'tag', { mappedBy: 'page' }),
    tags: relation('manyToMany', 'tag', { inversedBy: 'pages' }),
    friends: relation('manyToMany', 'tag', { mappedBy: 'friends' }),
    links: relation('oneToMany', 'tag'),
  }),
]
const attributes = ['parts', 'tags', 'friends', 'links']
const count = 9

let database: TestDatabase
let octavo: Octavo
const state = unrestricted('places entries')

beforeAll(async () => {
  database = await createTestDatabase()
  octavo = await createOctavo({ contentTypes, database: database.url })
  for (let i = 0; i < count; i++) await octavo.entries('tag', state).create({})
  await octavo.entries('page', state).create({})
})
afterAll(async () => {
  await octavo.close()
  await database.drop()
})

const anyId = fc.integer({ min: 1, max: count })
const position: fc.Arbitrary<Position> = fc.oneof(
  fc.constantFrom<Position>({ start: true }, { end: true }),
  fc.record({ before: anyId }),
  fc.record({ after: anyId }),
)
const connections = fc.uniqueArray(fc.record({ id: anyId, position }), {
  minLength: 1,
  selector: ({ id }) => id,
})

/** The list after one connection; it is at the end where its neighbour is not in the list. */
function connected(list: readonly number[], { id, position: at }: Connection): readonly number[] {
  const others = list.filter((one) => one !== id)
  if ('start' in at) return [id, ...others]
  const beside = 'end' in at ? -1 : others.indexOf('before' in at ? at.before : at.after)
  return others.toSpliced(beside < 0 ? others.length : beside + Number('after' in at), 0, id)
}

/** The connections in the order of their effects. An entry comes after its neighbour where the list lacks that one and the body connects it later. */
function inTurn(list: readonly number[], connect: readonly Connection[]): readonly Connection[] {
  const besideOf = ({ position: at }: Connection) =>
    'before' in at ? at.before : 'after' in at ? at.after : undefined
  const isLater = (one: Connection, i: number) => connect.findIndex(({ id }) => id === besideOf(one)) > i
  if (!connect.some((one, i) => isLater(one, i) && !list.includes(besideOf(one) ?? 0))) return connect
  const result: Connection[] = []
  const add = (one: Connection, above: readonly Connection[]): void => {
    if (result.includes(one) || above.includes(one)) return
    const beside = connect.find(({ id }) => id === besideOf(one))
    if (beside) add(beside, [...above, one])
    result.push(one)
  }
  for (const one of connect) add(one, [])
  return result
}

describe.each(attributes)('The list of a relation: %s', (attribute) => {
  const pages = () => octavo.entries('page', state)
  const write = (value: object) => pages().update(1, { [attribute]: value })
  async function stored(): Promise<readonly number[]> {
    const page = await pages().findOne(1, { populate: [attribute] })
    const related = page?.attributes as Readonly<Record<string, { data: readonly { id: number }[] }>>
    return related[attribute]?.data.map(({ id }) => id) ?? []
  }

  it('is that of each connection alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyId), connections, async (list, connect) => {
        await write({ set: list })
        await write({ connect, options: { strict: false } })
        expect(await stored()).toEqual(inTurn(list, connect).reduce(connected, list))
      }),
      { numRuns: runs(80, 3_000) },
    )
  })

  it('has an order after a hundred bodies that place entries between the same two', async () => {
    await write({ set: [1, 2] })
    let expected: readonly number[] = [1, 2]
    for (let i = 0; i < 100; i++) {
      const connect = [3, 4, 5].map((n) => ({ id: ((i + n) % 7) + 3, position: { after: 1 } }))
      await write({ connect })
      expected = connect.reduce(connected, expected)
    }
    expect(await stored()).toEqual(expected)
  })
})
