import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ProblemRow, problem } from '@octavo/core/plugin'
import { changesProblem } from '@octavo/plugin-changes'
import { editorsProblem } from '@octavo/plugin-editors'
import { graphqlProblem } from '@octavo/plugin-graphql'
import { i18nProblem } from '@octavo/plugin-i18n'
import { openapiProblem } from '@octavo/plugin-openapi'
import { pagesProblem } from '@octavo/plugin-pages'
import { uploadProblem } from '@octavo/plugin-upload'
import { usersPermissionsProblem } from '@octavo/plugin-users-permissions'
import { webhooksProblem } from '@octavo/plugin-webhooks'
import { serverProblem } from '@octavo/server'
import { describe, expect, it } from 'vitest'

const tables = [
  problem,
  serverProblem,
  uploadProblem,
  usersPermissionsProblem,
  i18nProblem,
  pagesProblem,
  openapiProblem,
  changesProblem,
  graphqlProblem,
  editorsProblem,
  webhooksProblem,
]
const rows = tables.flatMap((table) => Object.entries(table.rows))

/** The sections of the page, each with the first parts of its codes. */
const sections: Readonly<Record<string, readonly string[]>> = {
  'Queries and entries': ['query', 'entry', 'precondition', 'database'],
  Bodies: ['body', 'upload', 'request'],
  'Users, roles and languages': ['auth', 'user', 'role', 'i18n'],
  Routes: ['route'],
  'The server': ['access', 'server', 'pages', 'openapi', 'changes'],
  Editors: ['desk'],
  Webhooks: ['webhook'],
  GraphQL: ['graphql'],
}
const subjectOf = (code: string): string => code.split('/', 1)[0] ?? ''

function printedRow([code, row]: readonly [string, ProblemRow<never>]): string {
  const { status, name } = new row.error(code, '')
  return `| \`${code}\` | ${status} | ${name} | ${row.when ?? exampleOf(code, row)} |`
}

function exampleOf(code: string, { message, example }: ProblemRow<never>): string {
  if (typeof message === 'string') return message
  if (example === undefined) throw new Error(`${code} needs "when" or "example"`)
  return message(example)
}

const printed = (title: string, subjects: readonly string[]): string =>
  `## ${title}

| code | status | name | when, or for example |
|---|--:|---|---|
${subjects.flatMap((subject) => rows.filter(([code]) => subjectOf(code) === subject).map(printedRow)).join('\n')}
`

describe('docs/errors.md', () => {
  /** The page is the printed tables; `pnpm vitest run packages/cli/src/errors-page.test.ts -u` writes it. */
  it('is printed from the tables of problems', async () => {
    const page = `# Errors

This page lists all error codes, with an example of the message or the situation. Every error is \`{ "data": null, "error": { "status", "name", "message", "details" } }\`. Programs should
compare \`error.details.code\`: a code never changes its meaning and is never used again for another error. \`details.errors\` lists the
mistakes of a body, each with its path.

A plugin declares its own codes with \`defineProblems\` of \`@octavo/core/plugin\`, and throws the errors that this function makes.

${Object.entries(sections)
  .map(([title, subjects]) => printed(title, subjects))
  .join('\n')}
A 429 has \`Retry-After\`, and so has a 503, unless a repeated request would fail again (\`database/timeout\`, \`database/ids-used-up\`) or might write twice (\`database/outcome-unknown\`).
`
    await expect(page).toMatchFileSnapshot('../../../docs/errors.md')
  })

  it('has every code once', () => {
    const codes = rows.map(([code]) => code)
    expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([])
    expect(codes.filter((code) => !Object.values(sections).flat().includes(subjectOf(code)))).toEqual([])
  })
})

describe('The sources', () => {
  it('make errors for clients only from the tables', () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url))
    const files = globSync(['packages/*/src/**/*.ts', 'examples/*/src/**/*.ts'], { cwd: root }).filter(
      (file) => !file.endsWith('.test.ts'),
    )
    expect(files.length).toBeGreaterThan(200)
    const found = files.filter((file) =>
      /new \w+Error\(\s*['"`][a-z0-9-]+\/[a-z]/.test(readFileSync(root + file, 'utf8')),
    )
    expect(found).toEqual([])
  })
})
