import { OctavoError } from '@octavo/database'
import { defaultLimits, type Limits } from '../../src/limits.ts'
import { type ParseOptions, parseQuery } from '../../src/parse/parse-query.ts'
import type { RawChild, RawFilter, RawPopulate, RawQuery } from '../../src/parse/raw.ts'

/** Options of parsing that differ from the defaults. */
export type Given = { readonly limits?: Partial<Limits> } & Omit<Partial<ParseOptions>, 'limits'>

export const parse = (query: string, { limits, ...rest }: Given = {}): RawQuery =>
  parseQuery(query, { params: new Map(), ...rest, limits: { ...defaultLimits, ...limits } })

/** The error for the client: `400 query/bad-sort sort: …`. @throws when the query is not refused, or with anything else. */
export function refusal(query: string, given: Given = {}): string {
  try {
    parse(query, given)
  } catch (error) {
    if (!(error instanceof OctavoError)) throw error
    return `${error.status} ${error.code} ${error.message}`
  }
  throw new Error(`${query.slice(0, 200)} was not refused.`)
}

/** A filter as a line: `author (name $eq Ada)`, `a $in 1|2 AND NOT b $null true`. */
export function line(filter: RawFilter | undefined): string {
  switch (filter?.kind) {
    case undefined:
      return ''
    case 'and':
    case 'or': {
      const operator = filter.explicit ? ` ${filter.kind.toUpperCase()} ` : ' and '
      return filter.children.length === 1
        ? `${operator.trim()}(${line(filter.children[0])})`
        : `(${filter.children.map(line).join(operator)})`
    }
    case 'not':
      return `NOT ${line(filter.child)}`
    case 'field':
      return `${filter.name}.${line(filter.child)}`
    case 'compare':
      return `${filter.operator} ${filter.values.join('|')}`
    case 'added':
      return `${filter.operator.name} ${filter.values.join('|')}`
  }
}

/** The places in `populate`, as plain data: `{ author: true, seo: { social: false } }`; a star is the key `*`. */
export function outline(populate: RawPopulate): unknown {
  const named = Object.fromEntries(
    [...populate.named].map(([name, place]) => [name, place && outlineChild(place)]),
  )
  return populate.all ? { '*': true, ...named } : named
}

/** A place: `true` without options, its places when it has only these, else all options by name. */
function outlineChild(child: RawChild): unknown {
  const populate = outline(child.populate) as object
  const options = Object.entries({
    fields: child.fields === '*' ? '*' : child.fields?.map((field) => field.name).join(),
    sort: child.sort.map((term) => `${term.path.join('.')}:${term.direction}`).join() || undefined,
    filters: line(child.filters) || undefined,
    page: child.page,
    count: child.count || undefined,
    on: child.on && outline({ all: false, named: child.on }),
    params:
      child.params.size > 0
        ? Object.fromEntries([...child.params].map(([name, { value }]) => [name, value]))
        : undefined,
  }).filter(([, value]) => value !== undefined)
  const inside = Object.keys(populate).length > 0
  if (options.length === 0) return inside ? populate : true
  return { ...Object.fromEntries(options.map(([name, value]) => [`[${name}]`, value])), ...populate }
}
