import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../..', import.meta.url))

/** The constructors themselves, and the tree of a query string before names are looked up, which has constructors of its own. */
const exempt = ['core/src/plan/', 'core/src/parse/']

/** Members that only nodes of plans and conditions have beside `kind`. */
const ofNodes = new Set([
  'children',
  'child',
  'operands',
  'phrase',
  'orNone',
  'node',
  'nodes',
  'root',
  'withCount',
  'keyset',
])
/** Kinds that only conditions and operands have. */
const ownKinds = new Set(['constant', 'runtime', 'now', 'compare', 'related', 'matches', 'added'])

/** The lines of object literals that are nodes of a plan or condition. */
function literalsOf(file: string, text: string): readonly number[] {
  const found: number[] = []
  // To parse takes most of the time.
  if (!/\bkind\b/.test(text)) return found
  new Visitor({
    ObjectExpression({ properties, start }) {
      const members = properties.filter((property) => property.type === 'Property')
      const nameOf = ({ key }: (typeof members)[number]): string =>
        key.type === 'Identifier' ? key.name : ''
      const kind = members.find((member) => nameOf(member) === 'kind')?.value
      // The layouts of answers have children by name, and a text for an empty one.
      if (!kind || members.some((member) => nameOf(member) === 'empty')) return
      const isOwn = kind.type === 'Literal' && typeof kind.value === 'string' && ownKinds.has(kind.value)
      if (isOwn || members.some((member) => ofNodes.has(nameOf(member))))
        found.push(text.slice(0, start).split('\n').length)
    },
  }).visit(parseSync(file, text).program)
  return found
}

const sources = readdirSync(packages)
  .filter((name) => /^(?:core|server|plugin-[\w-]+)$/.test(name))
  .flatMap((name) =>
    readdirSync(path.join(packages, name, 'src'), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(name, 'src', file),
    ),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .filter((file) => !exempt.some((folder) => file.startsWith(folder)))

describe('nodes of plans and conditions', () => {
  it('are made by the constructors of core/src/plan everywhere', () => {
    expect(sources.length).toBeGreaterThan(300)
    const literals = sources.flatMap((file) =>
      literalsOf(file, readFileSync(path.join(packages, file), 'utf8')).map((line) => `${file}:${line}`),
    )
    expect(literals).toEqual([])
  })

  it.each([
    `const a = { kind: 'and', children }`,
    `return { ...condition, kind, child: other }`,
    `const a = { kind: 'constant', value: true }`,
    `const a = { kind: 'one', root }`,
  ])('are found when they are written out: %s', (text) => {
    expect(literalsOf('a.ts', `function f() { ${text} }`)).toEqual([1])
  })

  it('are none for other kinds', () => {
    expect(literalsOf('a.ts', `read({ kind: 'one', id: 1 }); const a = { kind: 'scalar', name }`)).toEqual([])
  })
})
