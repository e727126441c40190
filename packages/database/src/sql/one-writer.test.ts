import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const sources = globSync('{packages,examples}/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('node_modules'),
)
const reads = (file: string): string => readFileSync(`${root}${file}`, 'utf8')

/** The first words of statements, in capital letters or not. */
const statement =
  /^\s*(?:select\s+\S|insert\s+into\s|update\s+["\w]*\s*set\s|delete\s+from\s|with\s+(?:recursive\s+)?"?\w+"?\s+as\s|truncate\s|lock\s+table\s|(?:create|alter|drop)\s+(?:unique\s+|or\s+replace\s+)?(?:table|index|function|trigger|sequence|extension|schema)\s|set\s+(?:local|session)\s|explain\s*\()/i

/**
 * Files and folders whose statements are text, with the reason: the drivers take text, the importer's own tables are in SQLite, a
 * compiled text is put into another one, and messages of refusals show statements.
 */
const withTexts = [
  'packages/database/src/',
  'packages/testing/',
  // Sentences of the pages for editors, such as "Select all".
  'packages/plugin-desk/src/browser/text/',
  'packages/import-strapi/src/',
  'packages/core/src/compile/bound-size.ts',
  'packages/core/src/compile/with-column.ts',
  'packages/core/src/execute/explain.ts',
  'packages/core/src/schema/refusals.ts',
  'packages/core/src/schema/long-values.ts',
  'packages/core/src/schema/type-changes.ts',
  'packages/core/src/schema/renames/rename-attributes.ts',
  'packages/core/src/schema/renames/rolling-renames.ts',
]

interface Node {
  readonly type?: string
  readonly tag?: { readonly name?: string }
  readonly quasi?: Node
  readonly value?: unknown
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[]
}

/** The texts of a program that begin like a statement, wherever they are, except those of the tag `sql`. */
function statementsIn(code: string): string[] {
  const found: string[] = []
  const add = (text: unknown) => typeof text === 'string' && statement.test(text) && found.push(text)
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const one of node) visit(one)
      return
    }
    const { type, tag, value, quasis } = node as Node
    if (type === 'Literal') add(value)
    if (type === 'TemplateLiteral') add(quasis?.map(({ value: { cooked } }) => cooked).join('x'))
    for (const [name, child] of Object.entries(node)) {
      if (type === 'TaggedTemplateExpression' && tag?.name === 'sql' && name === 'quasi')
        visit((child as { readonly expressions: unknown }).expressions)
      else visit(child)
    }
  }
  visit(parseSync('source.ts', code).program)
  return found
}

/** Whether a text in the code may begin like a statement. Other code is not parsed, because that takes most of the time. */
const mayHave = (code: string): boolean =>
  /['"`](?:\s|\\[nrt])*(?:select|insert|update|delete|with|truncate|lock|create|alter|drop|set|explain)\b/i.test(
    code,
  )

it('The sources are found', () => {
  expect(sources.length).toBeGreaterThan(300)
})

it('statements are written with fragments: no text anywhere begins like one', () => {
  const texts = sources
    .filter((file) => !withTexts.some((place) => file.startsWith(place)))
    .map((file) => [file, reads(file)] as const)
    .filter(([, code]) => mayHave(code))
    .flatMap(([file, code]) => statementsIn(code).map((text) => `${file}: ${text.trim().slice(0, 60)}`))
  expect(texts).toEqual([])
})

it('each place of the list has such a text', () => {
  const having = sources.filter((file) => mayHave(reads(file)) && statementsIn(reads(file)).length > 0)
  const needless = withTexts.filter((place) => !having.some((file) => file.startsWith(place)))
  expect(needless).toEqual([])
})

it('a text that begins like a statement is found in any place', () => {
  const place = '$' + '{x}'
  const code = [
    "const a = { b: ['SELECT 1'] }",
    `f(\`update "t" set ${place}\`)`,
    'sql`select $' + '{y ? "drop table t" : z}`',
  ]
  for (const line of code.slice(0, 2)) expect([line, mayHave(line)]).toEqual([line, true])
  expect(statementsIn(code.join('\n'))).toEqual(['SELECT 1', 'update "t" set x', 'drop table t'])
  expect(statementsIn("sql`select 1`; const text = 'selected'")).toEqual([])
})

it('fragments come from the module of packages/database: no query builder is beside it', () => {
  const others = sources.filter((file) => /from '(kysely|knex|slonik|postgres)'/.test(reads(file)))
  expect(others).toEqual([])
})
