/** Conditions of a list as people read them, from the parameter `filters` of an address and back without a loss. */

/** A condition on the entries of a list, or below {@link OfEntry} on one related entry. */
export type Condition = Comparison | Group | Negation | OfEntry

/** `filters[author][name][$contains]=ada` */
export interface Comparison {
  readonly kind: 'comparison'
  /** Names of attributes from the entry on: `['author', 'name']`. Empty within an {@link OfEntry} that leads to the attribute itself. */
  readonly path: readonly string[]
  /** As in the parameter: `$eq`, `$in`, or an operator of a plugin. */
  readonly operator: string
  /** At least one; two for `$between`. */
  readonly values: readonly string[]
}

/** `$and` and `$or`. */
export interface Group {
  readonly kind: 'all' | 'any'
  readonly conditions: readonly Condition[]
}

/** `$not` */
export interface Negation {
  readonly kind: 'not'
  readonly condition: Condition
}

/** Conditions that one related entry meets together, or several on one attribute. */
export interface OfEntry {
  readonly kind: 'of'
  readonly path: readonly string[]
  readonly condition: Condition
}

/** A part of a query: a text, or parts by their keys. */
type Part = string | Map<string, Part>

/** `filters[a][$or][0][b]` as its keys, without the first; `undefined` for another parameter. */
function keysOf(name: string): readonly string[] | undefined {
  if (!/^filters(\[|$)/.test(name)) return undefined
  return [...name.matchAll(/\[([^\]]*)\]/g)].map(([, key]) => key ?? '')
}

/**
 * Reads the filters of a query string; other parameters are ignored.
 *
 * @returns `undefined` without conditions
 */
export function readFilters(query: string): Condition | undefined {
  const root = new Map<string, Part>()
  let isThere = false
  for (const [name, value] of new URLSearchParams(query)) {
    const keys = keysOf(name)
    if (!keys || keys.length === 0) continue
    isThere = true
    put(root, keys, value)
  }
  return isThere ? readGroup(root) : undefined
}

/** A repeated name, and `[]`, make a list. */
function put(parts: Map<string, Part>, [first = '', ...rest]: readonly string[], value: string): void {
  const key = first === '' ? String(parts.size) : first
  const known = parts.get(key)
  if (rest.length > 0) {
    const below = known instanceof Map ? known : new Map<string, Part>()
    parts.set(key, below)
    put(below, rest, value)
  } else if (known === undefined) parts.set(key, value)
  else if (known instanceof Map) known.set(String(known.size), value)
  else
    parts.set(
      key,
      new Map([
        ['0', known],
        ['1', value],
      ]),
    )
}

const isIndex = (key: string): boolean => /^\d+$/.test(key)

const all = (conditions: readonly Condition[]): Condition | undefined => {
  const [only] = conditions
  return conditions.length > 1 ? { kind: 'all', conditions } : only
}

const present = (condition: Condition | undefined): readonly Condition[] => (condition ? [condition] : [])

/** Conditions on the fields of an entry, joined by AND. */
function readGroup(part: Part): Condition | undefined {
  if (typeof part === 'string') return undefined
  return all(
    [...part].flatMap(([key, value]) =>
      present(isIndex(key) ? readGroup(value) : readKey(key, value, readGroup)),
    ),
  )
}

/** Conditions on one field: texts are values, all other elements are joined by AND. */
function readField(part: Part): Condition | undefined {
  if (typeof part === 'string') return compare('$eq', [part])
  const values: string[] = []
  const conditions: Condition[] = []
  for (const [key, value] of part) {
    if (!isIndex(key)) conditions.push(...present(readKey(key, value, readField)))
    else if (typeof value === 'string') values.push(value)
    else conditions.push(...present(readField(value)))
  }
  return all([...(values.length > 0 ? [compare('$in', values)] : []), ...conditions])
}

const compare = (operator: string, values: readonly string[]): Condition => ({
  kind: 'comparison',
  path: [],
  operator,
  values,
})

function readKey(
  key: string,
  value: Part,
  readHere: (part: Part) => Condition | undefined,
): Condition | undefined {
  switch (key) {
    case '$and':
    case '$or': {
      const items = typeof value === 'string' ? [] : [...value.values()]
      const conditions = items.flatMap((item) => present(readGroup(item)))
      return conditions.length === 0 ? undefined : { kind: key === '$and' ? 'all' : 'any', conditions }
    }
    case '$not': {
      const condition = readHere(value)
      return condition && { kind: 'not', condition }
    }
    default: {
      if (key.startsWith('$'))
        return compare(
          key,
          typeof value === 'string' ? [value] : [...value.values()].filter((one) => typeof one === 'string'),
        )
      const below = readField(value)
      return below && within(key, below)
    }
  }
}

/** A condition on what a field leads to. */
function within(name: string, below: Condition): Condition {
  if (below.kind === 'comparison' || below.kind === 'of') return { ...below, path: [name, ...below.path] }
  return { kind: 'of', path: [name], condition: below }
}

/** The filters as a part of a query string, `filters[status][$eq]=news`; empty without a condition. */
export const writeFilters = (condition: Condition | undefined): string =>
  condition === undefined
    ? ''
    : pairsOf(condition, 'filters')
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&')

type Pairs = readonly (readonly [string, string])[]

function pairsOf(condition: Condition, at: string): Pairs {
  switch (condition.kind) {
    case 'comparison': {
      const { path, operator, values } = condition
      const place = `${below(at, path)}[${operator}]`
      const [only] = values
      if (values.length === 1 && only !== undefined) return [[place, only]]
      return values.map((value, i) => [`${place}[${i}]`, value] as const)
    }
    case 'all':
    case 'any': {
      const key = condition.kind === 'all' ? '$and' : '$or'
      return condition.conditions.flatMap((one, i) => pairsOf(one, `${at}[${key}][${i}]`))
    }
    case 'not':
      return pairsOf(condition.condition, `${at}[$not]`)
    case 'of':
      return pairsOf(condition.condition, below(at, condition.path))
  }
}

const below = (at: string, path: readonly string[]): string =>
  path.reduce((text, name) => `${text}[${name}]`, at)
