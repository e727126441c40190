import type { Mistake } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import { columnNames, formNames, type LaidOut, type Layout } from './layout.ts'

type Values = Readonly<Record<string, unknown>>

/** Characters of a label, a placeholder or a description, at most. */
const longestText = 1_000

/**
 * Reads a layout of a body. Every part must be there, and of the right form, so that pages need no checks.
 * @returns the layout, or the mistakes
 */
export function readLayout(
  given: unknown,
  model: LaidOut,
): { readonly layout?: Layout; readonly mistakes: readonly Mistake[] } {
  const mistakes: Mistake[] = []
  const wrong = (path: string, message: string): void =>
    void mistakes.push({ path: path.split('.'), message: `${path} ${message}`, name: 'ValidationError' })
  if (!isObject(given)) {
    wrong('layout', 'must be an object')
    return { mistakes }
  }
  const columns = columnNames(model)
  if (typeof given.mainField !== 'string' || !columns.has(given.mainField))
    wrong('mainField', 'must be the name of an attribute, or id')
  checkList(given.list, columns, wrong)
  checkForm(given.form, new Set(formNames(model)), wrong)
  checkFields(given.fields, new Set(['id', ...model.attributes.keys()]), wrong)
  return mistakes.length > 0 ? { mistakes } : { layout: onlyKnown(given as unknown as Layout), mistakes }
}

type Wrong = (path: string, message: string) => void

function checkList(list: unknown, columns: ReadonlySet<string>, wrong: Wrong): void {
  if (!isObject(list)) {
    wrong('list', 'must be an object')
    return
  }
  const { pageSize, sort } = list
  if (
    !Array.isArray(list.columns) ||
    list.columns.length === 0 ||
    !list.columns.every((name) => columns.has(name))
  )
    wrong('list.columns', 'must be a list of attributes, at least one')
  else if (new Set(list.columns).size < list.columns.length)
    wrong('list.columns', 'must name each attribute once')
  if (!Number.isInteger(pageSize) || Number(pageSize) < 1 || Number(pageSize) > 100)
    wrong('list.pageSize', 'must be a whole number from 1 to 100')
  const [name = '', direction] = typeof sort === 'string' ? sort.split(':') : []
  if (!columns.has(name) || !(direction === 'asc' || direction === 'desc'))
    wrong('list.sort', 'must be an attribute with a direction, such as title:asc')
  for (const flag of ['search', 'filters', 'select'])
    if (typeof list[flag] !== 'boolean') wrong(`list.${flag}`, 'must be true or false')
}

function checkForm(form: unknown, names: ReadonlySet<string>, wrong: Wrong): void {
  if (!Array.isArray(form) || !form.every((row) => Array.isArray(row))) {
    wrong('form', 'must be a list of rows, which are lists of fields')
    return
  }
  const seen = new Set<unknown>()
  for (const place of form.flat()) {
    const { name, size } = isObject(place) ? place : ({} as Values)
    if (typeof name !== 'string' || !names.has(name))
      wrong('form', `must name attributes of the form, not "${String(name)}"`)
    else if (seen.has(name)) wrong('form', `must name "${name}" once`)
    if (!Number.isInteger(size) || Number(size) < 1 || Number(size) > 12)
      wrong('form', `must have sizes from 1 to 12, also of "${String(name)}"`)
    seen.add(name)
  }
}

const textKeys = ['label', 'description', 'placeholder', 'column', 'mainField'] as const
const flagKeys = ['readOnly', 'sortable'] as const

function checkFields(fields: unknown, names: ReadonlySet<string>, wrong: Wrong): void {
  if (!isObject(fields)) {
    wrong('fields', 'must be an object')
    return
  }
  for (const [name, field] of Object.entries(fields)) {
    const path = `fields.${name}`
    if (!names.has(name)) wrong(path, 'names no attribute')
    if (!isObject(field)) {
      wrong(path, 'must be an object')
      continue
    }
    if (typeof field.label !== 'string' || field.label === '') wrong(`${path}.label`, 'is a required field')
    for (const key of textKeys) {
      const text = field[key]
      if (text !== undefined && (typeof text !== 'string' || text.length > longestText))
        wrong(`${path}.${key}`, `must be a text of at most ${longestText} characters`)
    }
    for (const key of flagKeys)
      if (field[key] !== undefined && typeof field[key] !== 'boolean')
        wrong(`${path}.${key}`, 'must be true or false')
  }
}

/** Without keys that no page reads. */
const onlyKnown = ({ mainField, list, form, fields }: Layout): Layout => ({
  mainField,
  list: {
    columns: list.columns,
    pageSize: list.pageSize,
    sort: list.sort,
    search: list.search,
    filters: list.filters,
    select: list.select,
  },
  form: form.map((row) => row.map(({ name, size }) => ({ name, size }))),
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      Object.fromEntries(
        [...textKeys, ...flagKeys].flatMap((key) => (field[key] === undefined ? [] : [[key, field[key]]])),
      ) as unknown as typeof field,
    ]),
  ),
})
