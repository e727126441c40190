/** Mistakes in variables have the messages of the library; a large value is neither printed nor read for each of them. */
import {
  buildSchema,
  type GraphQLError,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { RequestRefusal } from '../errors.ts'
import { coercing } from './variables.ts'

const schema = buildSchema(`
  enum Color { RED }
  input Part { name: String!, parts: [Part], ids: [ID!], color: Color, size: Int = 1 }
  type Query { parts(part: Part, ids: [ID!]): Int }
`)
const [definition] = parse(
  'query ($part: Part!, $ids: [ID!], $size: Int = 3) { parts(part: $part, ids: $ids) }',
).definitions as readonly OperationDefinitionNode[]
const coerce = coercing(schema, false)

type Outcome = { readonly values: unknown } | { readonly errors: readonly unknown[] }

const shown = ({ message, locations }: Pick<GraphQLError, 'message' | 'locations'>): unknown => ({
  message,
  ...(locations && { locations }),
})

function ours(variables: Readonly<Record<string, unknown>>): Outcome {
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The text has no operation.')
  try {
    return { values: coerce(definition, variables) }
  } catch (error) {
    if (!(error instanceof RequestRefusal)) throw error
    return {
      errors: error.errors.map(({ message, locations }) => ({ message, ...(locations && { locations }) })),
    }
  }
}

function ofLibrary(variables: Readonly<Record<string, unknown>>): Outcome {
  const { coerced, errors } = getVariableValues(schema, definition?.variableDefinitions ?? [], variables, {
    maxErrors: 10,
  })
  return coerced ? { values: coerced } : { errors: (errors ?? []).map(shown) }
}

const unknown = (count: number): Readonly<Record<string, number>> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown${i}`, i]))

describe('The values of variables', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['none', {}],
    ['null', { part: null }],
    ['that fit', { part: { name: 'a', parts: [{ name: 'b' }], color: 'RED' }, ids: [1, 'b'], size: null }],
    ['a name of a prototype', { part: { name: 'a' }, __proto__: 1, ids: null }],
    ['a text for an object', { part: 'a "text"' }],
    ['a list for an object', { part: [] }],
    ['a wrong item', { part: { name: 'a', ids: [{ a: [], b: {}, c: [{ d: [1], e: { f: 1 } }] }] } }],
    ['a missing field', { part: { parts: [{ name: 'x' }, {}], size: 1.5 } }],
    ['a name that is nearly right', { part: { nam: 'a', name: true } }],
    ['eleven items', { part: { names: Array.from({ length: 11 }, (_, i) => i) } }],
    ['twelve items', { part: { names: Array.from({ length: 12 }, (_, i) => ({ [i]: null })) } }],
    ['nested lists', { part: { names: [[[[1]], []]], name: 'a' } }],
    ['an unknown color', { part: { name: 'a', color: 'REDD' }, ids: [null] }],
    ['nine mistakes and one', { part: { name: 'a', ...unknown(10) } }],
    ['mistakes of two variables', { part: { name: 'a', ...unknown(8) }, ids: [{}, {}, {}] }],
  ])('and their mistakes are those of the library: %s', (_name, variables) => {
    expect(ours(variables)).toEqual(ofLibrary(variables))
  })

  it('S-20: are refused when they nest deeper than the stack', () => {
    let part: object = { name: 'a' }
    for (let level = 0; level < 100_000; level += 1) part = { name: 'a', parts: part }
    const message = 'Variable "$part" nests too deeply.'
    expect(ours({ part })).toEqual({ errors: [expect.objectContaining({ message })] })
  })

  it('S-20: are read once, however many mistakes they have', () => {
    let reads = 0
    const counted = (value: object): object =>
      new Proxy(value, {
        get: (target, key) => {
          reads += 1
          return Reflect.get(target, key)
        },
      })
    const { errors } = ours({ part: counted(unknown(60_000)) }) as {
      readonly errors: readonly { message: string }[]
    }
    expect(errors).toHaveLength(11)
    expect(JSON.stringify(errors).length).toBeLessThan(40_000)
    expect(reads).toBeLessThan(500)
  })
})
