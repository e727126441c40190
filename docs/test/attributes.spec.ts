import { type AttributeDefinition, silentLogger } from '@octavo/core'
import { operators, type ScalarType, scalarTypes } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { describe, expect, it } from 'vitest'
import { attributeExamples } from './support/attribute-examples.ts'
import { structuredTypes } from './support/attribute-texts.ts'
import { Declarations, type DocumentedOption } from './support/options.ts'
import { pageFile } from './support/pages.ts'
import { printJson } from './support/print-json.ts'

const file = 'packages/core/src/content-type/types/attribute-options.ts'
const declarations = new Declarations([file])

/** The options of a type besides those of every scalar attribute. */
function ownOptions(type: string): readonly DocumentedOption[] {
  const [declared = ''] = /^\w+/.exec(declarations.typeOf('AttributeOptions', type) ?? '') ?? []
  return declared === 'ScalarOptions' ? [] : declarations.optionsOf(declared)
}

const optionRows = (options: readonly DocumentedOption[]): string =>
  options
    .map(
      ({ name, type, text, isRequired, defaultText }) =>
        `| \`${name}\` | \`${type.replaceAll('|', '\\|')}\` | ${isRequired ? '*required*' : (defaultText ?? 'none')} | ${text} |`,
    )
    .join('\n')

/** @throws Error for an option without a comment in the source. */
function documented(options: readonly DocumentedOption[]): readonly DocumentedOption[] {
  const poor = options.filter(({ text }) => text === '').map(({ name }) => name)
  if (poor.length > 0) throw new Error(`${file}: ${poor.join(', ')} have no comment`)
  return options
}

const optionTable = (options: readonly DocumentedOption[]): string =>
  options.length === 0
    ? ''
    : `| option | type | default | |\n|---|---|---|---|\n${optionRows(documented(options))}\n\n`

function operatorsOf({ operators: classes }: ScalarType): string {
  const names = Object.entries(operators).flatMap(([name, { on }]) =>
    (on === 'text' ? classes.length > 0 : classes.includes(on)) ? [`\`${name}\``] : [],
  )
  return names.length === Object.keys(operators).length
    ? 'all'
    : names.length === 0
      ? 'none'
      : names.join(', ')
}

const searchTexts = {
  text: 'in every search',
  number: 'where the phrase is a number',
  never: 'no',
} as const

interface Tried {
  readonly sent: unknown
  /** The value in the answer, or the message of a 400. */
  readonly answer: string
}

/** The messages of an error with one or several mistakes. */
const messageOf = (error: ErrorBody): string =>
  error.details.errors?.map(({ message }) => message).join('; ') ?? error.message

interface ErrorBody {
  readonly message: string
  readonly details: { readonly errors?: readonly { readonly message: string }[] }
}

async function tryAll(): Promise<ReadonlyMap<string, readonly Tried[]>> {
  const database = await createTestDatabase()
  const attributes = Object.fromEntries(
    attributeExamples.map(({ definition }) => [definition.type, definition as AttributeDefinition]),
  )
  const server = await createServer({
    contentTypes: [
      { kind: 'collectionType', info: { singularName: 'sample', pluralName: 'samples' }, attributes },
    ],
    database: database.url,
    access: 'open',
    logger: silentLogger,
  })
  try {
    const api = createClient((await server.listen(0, '127.0.0.1')).url)
    const tried = new Map<string, readonly Tried[]>()
    for (const { definition, values } of attributeExamples) {
      const { type } = definition
      const results: Tried[] = []
      for (const sent of values) {
        const { body } = await api.post('/api/samples', { body: { data: { [type]: sent } } })
        const value = body.data?.attributes[type]
        results.push({
          sent,
          answer: body.error
            ? `400: ${messageOf(body.error)}`
            : value === undefined
              ? '*absent*'
              : `\`${printJson(value)}\``,
        })
      }
      tried.set(type, results)
    }
    return tried
  } finally {
    await server.close()
    await database.drop()
  }
}

function printedType(type: ScalarType, tried: readonly Tried[]): string {
  const example = attributeExamples.find(({ definition }) => definition.type === type.name)
  if (!example) throw new Error(`attribute-examples.ts has no example of ${type.name}`)
  const { definition, about } = example
  return `## ${type.name}

${about}

\`\`\`json
${printJson(definition)}
\`\`\`

${optionTable(ownOptions(type.name))}| | |
|---|---|
| column | \`${type.column(definition as AttributeDefinition)}\` |
| operators | ${operatorsOf(type)} |
| search by \`_q\` | ${searchTexts[type.search]} |

| sent | in the answer |
|---|---|
${tried.map(({ sent, answer }) => `| \`${printJson(sent)}\` | ${answer} |`).join('\n')}
`
}

describe('docs/attributes.md', () => {
  /** `pnpm vitest run docs/test/attributes.spec.ts -u` writes it. */
  it('is printed from the attribute types, with the answers of a server', async () => {
    const tried = await tryAll()
    const page = `# Attribute types

This page lists the types of attributes with their options, and shows what a server stores and returns for each. Every attribute has a \`type\` and the options of that type.
The page is generated from the code, and the answers come from a server.

## Options of every attribute

${optionTable(declarations.optionsOf('CommonOptions').filter(({ name }) => ['required', 'private', 'writable'].includes(name)))}\
\`pluginOptions\` holds the options of plugins: \`{ "i18n": { "localized": true } }\`. \`configurable\` is accepted and unused. With
\`"visible": false\` each [localization](locales.md) of an entry has its own value.

Scalar attributes, which are all types but relations, media, components and zones, also have:

${optionTable(declarations.optionsOf('ScalarOptions'))}\
An attribute that a request leaves out is null, or its \`default\`. The operators are in [operators](operators.md).

${[...scalarTypes.values()].map((type) => printedType(type, tried.get(type.name) ?? [])).join('\n')}
${structuredTypes((name) => optionTable(declarations.optionsOf(name)))}`
    await expect(page).toMatchFileSnapshot(pageFile('attributes.md'))
  })
})
