import { type Operator, type OperatorName, operators, scalarTypes } from '@octavo/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange } from './support/exchange.ts'
import { type Magazine, startMagazine } from './support/magazine.ts'
import { pageFile } from './support/pages.ts'

let magazine: Magazine
beforeAll(async () => {
  magazine = await startMagazine()
})
afterAll(() => magazine.close())

/** A request for each operator: an operator without one does not compile. */
const examples: Record<OperatorName, string> = {
  $eq: 'filters[title][$eq]=Fire and force',
  $eqi: 'filters[title][$eqi]=FIRE and force',
  $ne: 'filters[form][$ne]=essay',
  $nei: 'filters[form][$nei]=ESSAY',
  $lt: 'filters[views][$lt]=120',
  $lte: 'filters[views][$lte]=120',
  $gt: 'filters[publishedAt][$gt]=2026-03-09',
  $gte: 'filters[views][$gte]=210',
  $in: 'filters[form][$in][0]=news&filters[form][$in][1]=review',
  $notIn: 'filters[id][$notIn][0]=1&filters[id][$notIn][1]=2',
  $contains: 'filters[title][$contains]=machine',
  $notContains: 'filters[title][$notContains]=the',
  $containsi: 'filters[title][$containsi]=MACHINE',
  $notContainsi: 'filters[title][$notContainsi]=THE',
  $startsWith: 'filters[title][$startsWith]=The',
  $startsWithi: 'filters[title][$startsWithi]=the',
  $endsWith: 'filters[title][$endsWith]=force',
  $endsWithi: 'filters[title][$endsWithi]=FORCE',
  $null: 'filters[seo][id][$null]=true',
  $notNull: 'filters[seo][id][$notNull]=true',
  $between: 'filters[views][$between][0]=85&filters[views][$between][1]=210',
}

const operands: Readonly<Record<Operator['operand'], string>> = {
  one: 'one value; a list of values means any of them',
  list: 'a list of values, or one',
  pair: 'exactly two values, as a list',
  flag: '`true`; with `false`, `0`, `f` or the empty text the operator is reversed',
}
const compared: Readonly<Record<Operator['on'], string>> = {
  any: 'values of every type',
  ordered: 'values by their order',
  text: 'the texts of values of every type',
  prefix: 'the texts of values of every type but numbers',
}

const titlesOf = async (query: string): Promise<string> => {
  const { code } = await exchange(`GET /api/articles?fields=title&${query.replaceAll(' ', '%20')}`, magazine)
  const { data } = JSON.parse(code) as {
    readonly data: readonly { readonly attributes: { readonly title: string } }[]
  }
  return data.map(({ attributes }) => attributes.title).join('; ')
}

async function rows(): Promise<string> {
  const printed: string[] = []
  for (const [name, { on, operand, meaning }] of Object.entries(operators)) {
    const example = examples[name as OperatorName] // the keys of the table are its names
    const titles = await titlesOf(example)
    expect(titles, name).not.toBe('')
    printed.push(`## ${name}

${meaning[0]?.toUpperCase()}${meaning.slice(1)}. It compares ${compared[on]}, and takes ${operands[operand]}.

\`${example}\` finds *${titles}*.
`)
  }
  return printed.join('\n')
}

const namesOn = (...classes: readonly Operator['on'][]): string =>
  Object.entries(operators)
    .filter(([, { on }]) => classes.includes(on))
    .map(([name]) => `\`${name}\``)
    .join(', ')

const typesWith = (on: Operator['on']): string =>
  [...scalarTypes.values()]
    .filter(({ operators: classes }) => classes.includes(on))
    .map(({ name }) => `\`${name}\``)
    .join(', ')

describe('docs/operators.md', () => {
  /** `pnpm vitest run docs/test/operators.spec.ts -u` writes it. */
  it('is printed from the table of operators, with the answers of a server', async () => {
    const page = `# Operators

This page lists the operators of filters, \`filters[attribute][operator]=value\`. Without an operator the comparison is \`$eq\`, and with a list of values \`$in\`. Relations and components nest:
\`filters[author][name][$startsWith]=A\`. [Querying](querying.md#filters) shows how filters combine.

| compares | operators | attribute types |
|---|---|---|
| values | ${namesOn('any')} | all but \`password\` |
| order | ${namesOn('ordered')} | ${typesWith('ordered')} |
| texts of values | ${namesOn('text')} | all but \`password\` |
| texts of values except numbers | ${namesOn('prefix')} | ${typesWith('prefix')} |

- A null matches no operator except \`$null\`, not even a negated one.
- A value must fit the type of the attribute: \`filters[views]=many\` is a 400 that names the place.
- An operator that a type does not have is a 400.
- Texts are in the order of the database's collation. With \`C\`, as in the embedded engine, that is the order of code points.

## $and, $or, $not

\`$and\` and \`$or\` take lists of groups, \`filters[$or][0][views][$gt]=200&filters[$or][1][form]=news\`. \`$not\` negates a group, or an operator of one attribute:
\`filters[views][$not][$gt]=200\`. Conditions on the same level are combined with *and*.

${await rows()}
## Operators of plugins

A plugin may add operators for the attribute types that it names ([how](plugins.md#operators-of-filters)); the description of the API and the query page
list them. The example [geo](../examples/geo) adds \`$near\`: \`filters[location][$near]=52.52,13.405,5000\`.

## The text of a value

Text operators take every attribute, so that a search box can send one operator for all columns:
\`filters[$or][0][title][$containsi]=20&filters[$or][1][views][$containsi]=20\`. The exception is \`$startsWith\`, which refuses numbers as Strapi 4
does; \`$startsWithi\` accepts them. Text operators compare the text of a value as an answer prints it, without quotes. Upper and lower case are those of PostgreSQL's \`lower\`. \`%\`, \`_\` and \`\\\` are ordinary characters.

| type | text |
|---|---|
| \`string\`, \`text\`, \`richtext\`, \`email\`, \`uid\`, \`enumeration\` | the value |
| \`integer\`, \`biginteger\`, \`timestamp\` | digits: \`120\`, \`-7\` |
| \`decimal\` | without trailing zeros: \`4.5\`, \`30\` |
| \`float\` | the shortest text that is read as the same number: \`0.125\`, \`1e+21\` |
| \`boolean\` | \`true\`, \`false\` |
| \`date\` | \`2024-02-29\` |
| \`time\` | \`09:30:00\`, \`09:30:00.25\` |
| \`datetime\` | in UTC with milliseconds: \`2024-02-29T09:30:00.250Z\` |
| \`json\`, \`array\`, \`blocks\` | PostgreSQL's text of a \`jsonb\`: \`{"a": 1}\` |

## Speed

An [index](indexes.md) serves \`$eq\`, \`$in\`, \`$null\`, the operators on order, and \`$eqi\` on numbers, booleans and dates. Other text operators read every row that the
other filters leave, so combine them with other filters on large tables.
`
    await expect(page).toMatchFileSnapshot(pageFile('operators.md'))
  })
})
