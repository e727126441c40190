import type {
  RawChild,
  RawCursor,
  RawFilter,
  RawNode,
  RawPagination,
  RawPopulate,
  RawQuery,
  RawValue,
} from './raw.ts'
import { entriesOf, isIndex } from './value.ts'

/**
 * Prints a query string that parses to `raw`: `parseQuery(printQuery(raw))` equals `raw`, except for the places (`at`),
 * which are those of the printed text. Brackets and `$` are not encoded; everything else is percent-encoded.
 *
 *     { sort: title desc, filters: views $gt 1 } → sort[0][title]=desc&filters[views][$gt]=1
 *
 * @throws RangeError for a name that cannot be written in brackets: empty, with a bracket in it, or an index (`0`, `12`).
 */
export function printQuery(raw: RawQuery): string {
  const pairs: string[] = []
  printNode(raw, '', pairs)
  printPaging(raw.pagination, 'pagination', pairs)
  if (raw.search !== undefined) print(raw.search, '_q', pairs)
  return pairs.join('&')
}

/** @param at The path of the node's parameters; empty at the root. */
function printNode(node: RawNode, at: string, pairs: string[]): void {
  if (node.fields === '*') print('*', inside(at, 'fields'), pairs)
  for (const [i, field] of node.fields === '*' ? [] : (node.fields ?? []).entries()) {
    print(field.name, `${inside(at, 'fields')}[${i}]`, pairs)
  }
  for (const [i, { path, direction }] of node.sort.entries()) {
    print(direction, path.reduce(inside, `${inside(at, 'sort')}[${i}]`), pairs)
  }
  if (node.filters) printFilter(node.filters, inside(at, 'filters'), pairs)
  printPopulate(node.populate, inside(at, 'populate'), pairs)
  for (const [name, { value }] of node.params) print(value, inside(at, name), pairs)
}

function printPopulate(populate: RawPopulate, at: string, pairs: string[]): void {
  if (populate.all) print('*', `${at}[0]`, pairs)
  for (const [name, place] of populate.named) printChild(place, inside(at, name), pairs)
}

function printChild(place: RawChild | false, at: string, pairs: string[]): void {
  if (!place) {
    print('false', at, pairs)
    return
  }
  const before = pairs.length
  printNode(place, at, pairs)
  if (place.page) printPaging(place.page, at, pairs)
  if (place.count) print('true', inside(at, 'count'), pairs)
  if (place.of !== undefined) print(place.of, inside(at, 'of'), pairs)
  for (const [uid, component] of place.on ?? []) printChild(component, inside(inside(at, 'on'), uid), pairs)
  if (pairs.length === before) print('true', at, pairs)
}

function printPaging(paging: RawPagination | RawCursor, at: string, pairs: string[]): void {
  if (paging.kind === 'cursor') print(paging.cursor, inside(at, paging.direction), pairs)
  for (const name of ['page', 'pageSize', 'start', 'limit', 'withCount'] as const) {
    const value = (paging as { readonly [N in typeof name]?: number | boolean })[name]
    if (value !== undefined) print(String(value), inside(at, name), pairs)
  }
}

function printFilter(filter: RawFilter, at: string, pairs: string[]): void {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const list = filter.explicit ? inside(at, `$${filter.kind}`) : at
      for (const [i, child] of filter.children.entries()) printFilter(child, `${list}[${i}]`, pairs)
      break
    }
    case 'not':
      printFilter(filter.child, inside(at, '$not'), pairs)
      break
    case 'field':
      printFilter(filter.child, inside(at, filter.name), pairs)
      break
    case 'compare':
    case 'added': {
      const [only] = filter.values
      const operator = filter.kind === 'added' ? filter.operator.name : filter.operator
      print(
        filter.values.length === 1 && only !== undefined ? only : filter.values,
        inside(at, operator),
        pairs,
      )
    }
  }
}

function print(value: RawValue, at: string, pairs: string[]): void {
  if (typeof value === 'string') {
    pairs.push(`${at}=${encodeURIComponent(value)}`)
    return
  }
  for (const [key, item] of entriesOf(value))
    print(item, isIndex(key) ? `${at}[${key}]` : inside(at, key), pairs)
}

function inside(at: string, name: string): string {
  if (name === '' || isIndex(name) || /[[\]]/.test(name))
    throw new RangeError(`"${name}" cannot be written in brackets.`)
  const text = encodeURIComponent(name).replaceAll('%24', '$')
  return at === '' ? text : `${at}[${text}]`
}
