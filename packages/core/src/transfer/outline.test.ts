import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isObject } from '../kinds-of-values.ts'
import { ImportError } from './import-error.ts'
import { type EntryList, maxEntryBytes, parseOutline } from './outline.ts'

/** The outline with its lists as arrays. */
function read(json: string): unknown {
  const outline = parseOutline(Buffer.from(json))
  if (!isObject(outline) || !isObject(outline.entries)) return outline
  const isList = (value: unknown): value is EntryList =>
    typeof value === 'object' && value !== null && Symbol.iterator in value
  const lists = Object.entries(outline.entries).map(([uid, list]) => [uid, isList(list) ? [...list] : list])
  return { ...outline, entries: Object.fromEntries(lists) }
}

function hasTwins(json: string): boolean {
  try {
    parseOutline(Buffer.from(json))
    return false
  } catch (error) {
    return error instanceof ImportError && error.message.includes(' twice, ')
  }
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const file = fc.oneof(
  fc.record({
    entries: fc.dictionary(fc.string(), fc.array(fc.jsonValue({ maxDepth: 3 }))),
    users: fc.jsonValue(),
  }),
  fc.record({ entries: fc.jsonValue() }),
  fc.jsonValue(),
)
const text = fc
  .tuple(file, fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, undefined, indent))

it('An outline equals JSON.parse for objects', () => {
  fc.assert(
    fc.property(text, (json) => {
      expect(read(json)).toEqual(parsed(json))
    }),
  )
})

it('A text is refused where JSON.parse refuses it, with a character removed or put in', () => {
  const character = fc.constantFrom(...'{}[],:"\\ 1n')
  fc.assert(
    fc.property(text, fc.nat(), fc.option(character), (json, at, added) => {
      const place = at % (json.length + 1)
      const changed = json.slice(0, place) + (added ?? '') + json.slice(added === null ? place + 1 : place)
      fc.pre(!hasTwins(changed))
      expect(read(changed)).toEqual(parsed(changed))
    }),
    { numRuns: runs(400, 10_000) },
  )
})

it.each([
  '{"entries":{"a":[1,]}}',
  '{"entries":{"a":[{"b":]}}',
  '{"entries":{"a":[[}]}}',
  '{"entries":{"a":[]}} x',
  '{"entries":{"a":[]}',
  '{"entries":{1:[]}}',
  '',
])('%s is refused', (json) => {
  expect(parseOutline(Buffer.from(json))).toBeUndefined()
})

it('An outline has __proto__ as a key', () => {
  const json = '{"entries":{"__proto__":[3]},"__proto__":[5]}'
  expect(JSON.stringify(read(json))).toBe(json)
})

it.each([
  ['{"users":[1],\n"locales":[],\n\n"users":[2]}', 'the file has the key "users" twice, at lines 1 and 4: '],
  ['{"entries":{},"entries":{}}', 'the file has the key "entries" twice, at lines 1 and 1: '],
  ['{\n"entries":{\n"a":[1],"\\u0061":\n[2]}}', '"entries" has the key "a" twice, at lines 3 and 4: '],
])('An outline refuses a key that is there twice, of which one would be lost: %j', (json, message) => {
  expect(() => read(json)).toThrow(`Nothing was imported: ${message}`)
})

it('S-41: an outline refuses an entry that is too large before it is parsed', () => {
  const entry = Buffer.alloc(maxEntryBytes + 1, ' ')
  entry.write('{')
  entry.write('}', maxEntryBytes)
  const json = Buffer.concat([Buffer.from('{"entries":{"api::a.a":[1,'), entry, Buffer.from(']}}')])
  expect(() => parseOutline(json)).toThrow('entries["api::a.a"][1] has more than 32 MiB')
})
