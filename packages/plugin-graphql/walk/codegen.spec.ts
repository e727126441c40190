/** GraphQL Code Generator, installed and configured as docs/graphql.md shows, with the schema that the command prints. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RecordedServer, recordedServer } from '../test/recorded.ts'

const page = readFileSync(fileURLToPath(new URL('../../../docs/graphql.md', import.meta.url)), 'utf8')
const tsc = path.join(fileURLToPath(new URL('../../../', import.meta.url)), 'node_modules/.bin/tsc')

let folder: string
let running: RecordedServer
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-codegen-'))
  running = await recordedServer()
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = (name: string, text: string): void => {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function run(
  command: string,
  ...args: readonly string[]
): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

/** Documents as a front end writes them: a list with a zone, one entry by a variable, a fragment, and a mutation. */
const documents = `import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core'
import { graphql } from './gql'

export const latest = graphql(\`
  query Latest($limit: Int, $filters: ArticleFiltersInput) {
    articles(filters: $filters, sort: ["publishedAt:desc"], pagination: { limit: $limit }) {
      data {
        id
        attributes {
          title
          publishedAt
          author { data { attributes { name } } }
          blocks { __typename ... on ComponentBlocksQuote { text } }
        }
      }
      meta { pagination { total } }
    }
  }
\`)
export const create = graphql(\`
  mutation CreateTag($data: TagInput!) { createTag(data: $data) { data { id attributes { name } } } }
\`)

export const titles = ({ articles }: ResultOf<typeof latest>): readonly string[] =>
  (articles?.data ?? []).map(({ attributes }) => attributes?.title ?? '')
export const quotes = ({ articles }: ResultOf<typeof latest>): readonly unknown[] =>
  (articles?.data ?? []).flatMap(({ attributes }) =>
    (attributes?.blocks ?? []).map((block) => (block?.__typename === 'ComponentBlocksQuote' ? block.text : undefined)),
  )
export const time = ({ articles }: ResultOf<typeof latest>): string | null | undefined =>
  articles?.data[0]?.attributes?.publishedAt
export const given: VariablesOf<typeof latest> = { limit: 5, filters: { title: { contains: 'a' } } }
export const tag: VariablesOf<typeof create> = { data: { name: 'new' } }

// @ts-expect-error The operation does not select the slug.
export const slug = ({ articles }: ResultOf<typeof latest>) => articles?.data[0]?.attributes?.slug
// @ts-expect-error A limit is a number.
export const wrong: VariablesOf<typeof latest> = { limit: 'five' }
`

it('Documents of a front end have the types of their results', async () => {
  const { octavo } = running.server
  const printed: string[] = []
  await octavo.commands.get('graphql schema')?.run(octavo, new Set(), (line) => void printed.push(line))
  write('schema.graphql', printed.join('\n'))
  const [, configuration = ''] = /```yaml\n# codegen\.yml\n([^`]*)```/.exec(page) ?? []
  const [, packages = ''] = /^npm install --save-dev (@graphql-codegen.*)$/m.exec(page) ?? []
  expect(configuration).toContain('preset: client')
  write('codegen.yml', configuration)
  write('package.json', JSON.stringify({ name: 'front-end', private: true, type: 'module' }))
  write('src/queries.ts', documents)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    skipLibCheck: true,
    types: [],
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }))
  const installed = run('npm', 'install', '--no-audit', '--no-fund', 'graphql@16', ...packages.split(' '))
  expect([installed.status, installed.status === 0 ? '' : installed.output]).toEqual([0, ''])
  const generated = run('npx', 'graphql-codegen')
  expect([generated.status, generated.status === 0 ? '' : generated.output]).toEqual([0, ''])
  expect(run(tsc, '-p', folder)).toEqual({ status: 0, output: '' })

  write('src/queries.ts', documents.replaceAll('publishedAt\n', 'publishedOnDay\n'))
  const refused = run('npx', 'graphql-codegen')
  expect(refused.status).not.toBe(0)
  expect(refused.output).toContain('errors occurred')
})
