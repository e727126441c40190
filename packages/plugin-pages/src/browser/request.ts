import type { ModelOperator } from '../query/model.ts'
import type { FilterState, QueryState } from './state.ts'

/** A query as `qs` and the client take it. */
export type Query = Readonly<Record<string, unknown>>

type Operators = Readonly<Record<string, ModelOperator>>

/** The query of a state. */
export function queryOf(state: QueryState, operators: Operators): Query {
  const filters = state.filters
    .filter(({ path, operator }) => path !== '' && operator !== '')
    .map((filter) => conditionOf(filter, operators))
  const pagination = {
    ...(state.page !== '' && { page: Number(state.page) }),
    ...(state.pageSize !== '' && { pageSize: Number(state.pageSize) }),
  }
  const sort = state.sort
    .filter(({ path }) => path !== '')
    .map(({ path, direction }) => `${path}:${direction}`)
  const isOne = state.id !== ''
  return {
    ...(filters.length > 0 && !isOne && { filters: joined(filters, state.match) }),
    ...(state.search !== '' && !isOne && { _q: state.search }),
    ...(sort.length > 0 && !isOne && { sort }),
    ...(state.fields.length > 0 && { fields: state.fields }),
    ...(state.populate.length > 0 && { populate: populateOf(state.populate) }),
    ...(Object.keys(pagination).length > 0 && !isOne && { pagination }),
    ...(state.locale !== '' && { locale: state.locale }),
    ...(state.publicationState !== '' && { publicationState: state.publicationState }),
  }
}

const joined = (filters: readonly Query[], match: 'and' | 'or'): Query =>
  filters.length === 1 ? (filters[0] ?? {}) : { [`$${match}`]: filters }

function conditionOf({ path, operator, value }: FilterState, operators: Operators): Query {
  const operand = operators[operator]?.operand
  const isList = operand === 'list' || operand === 'pair'
  const given = isList
    ? value.split(',').map((part) => part.trim())
    : operand === 'flag'
      ? value !== 'false'
      : value
  return path.split('.').reduceRight<Query>((below, name) => ({ [name]: below }), { [operator]: given })
}

interface Tree {
  [name: string]: Tree
}

/** Without members of its own, since a link may name those of all objects, such as `__proto__`. */
const emptyTree = (): Tree => Object.create(null)

/** `['author', 'author.articles']` → `{ author: { populate: { articles: true } } }` */
function populateOf(paths: readonly string[]): Query {
  const tree = emptyTree()
  for (const path of paths) {
    let node = tree
    for (const name of path.split('.')) {
      node[name] ??= emptyTree()
      node = node[name]
    }
  }
  const printed = (node: Tree): Query =>
    Object.fromEntries(
      Object.entries(node).map(([name, below]) => [
        name,
        Object.keys(below).length === 0 ? true : { populate: printed(below) },
      ]),
    )
  return printed(tree)
}

/** A query string as `qs.stringify(query, { encodeValuesOnly: true })` writes it. */
export function queryString(query: Query): string {
  const pairs: string[] = []
  const write = (key: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) write(key === '' ? name : `${key}[${name}]`, inner)
    else pairs.push(`${key}=${encodeURIComponent(String(value))}`)
  }
  write('', query)
  return pairs.join('&')
}

/** The path with its query: `/api/articles?sort[0]=title:asc`. It has no quote, which would end the text of a program. */
export function addressOf({ path, id }: QueryState, query: Query): string {
  const text = queryString(query)
  return `${path}${id === '' ? '' : `/${encodeURIComponent(id).replaceAll("'", '%27')}`}${text === '' ? '' : `?${text}`}`
}

/** A program with `qs` and `fetch`. */
export function qsCode(origin: string, state: QueryState, query: Query): string {
  const address = `${origin}${addressOf(state, {})}`
  const end = 'const { data, meta } = await response.json()'
  if (Object.keys(query).length === 0) return `const response = await fetch('${address}')\n${end}`
  return `import qs from 'qs'

const query = qs.stringify(${literal(query)}, { encodeValuesOnly: true })
const response = await fetch(\`${address}?\${query}\`)
${end}`
}

/** A program with the client of Octavo. */
export function clientCode(origin: string, state: QueryState, query: Query): string {
  const name = state.path.split('/').at(-1) ?? ''
  const given = Object.keys(query).length === 0 ? '' : literal(query)
  const call =
    state.id === ''
      ? `find(${given})`
      : `findOne(${[/^\d+$/.test(state.id) ? state.id : literal(state.id), given].filter(Boolean).join(', ')})`
  return `import { createClient } from '@octavo/client'

const api = createClient({ url: '${origin}' })
const { data${state.id === '' ? ', meta' : ''} } = await api.entries('${name}').${call}`
}

/** A value as JavaScript. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${keyOf(name)}: ${literal(item, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const line = parts.join(', ')
  const pad = Array.isArray(value) ? '' : ' '
  if (!line.includes('\n') && indent.length + line.length < 70) return `${open}${pad}${line}${pad}${close}`
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

/** `__proto__` would be the prototype of the object, in quotes as well. */
const keyOf = (name: string): string =>
  name === '__proto__' ? `['${name}']` : /^[$_a-z][\w$]*$/i.test(name) ? name : literal(name)
