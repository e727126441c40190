/**
 * Checks an export against content-types: names of attributes, types and bounds of values, unique values, and that both
 * sides of every relation agree. Each problem is a line that names the entry.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** Reads `content-types/*.json` and `components/<category>/*.json` below a folder. */
export function readContent(folder) {
  const types = {}
  const components = {}
  const read = (path) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'))
  const names = (path) => readdirSync(new URL(path, folder)).sort()
  for (const file of names('content-types/')) {
    const type = read(`content-types/${file}`)
    types[`api::${type.info.singularName}.${type.info.singularName}`] = type
  }
  for (const category of names('components/')) {
    for (const file of names(`components/${category}/`)) {
      components[`${category}.${file.replace(/\.json$/, '')}`] = read(`components/${category}/${file}`)
    }
  }
  return { types, components }
}

const toMany = (attribute) => ['oneToMany', 'manyToMany'].includes(attribute.relation)
const listOf = (value) => (Array.isArray(value) ? value : value === null ? [] : [value])

/** The mistake in a value that is not null; `undefined` for a valid one. */
const mistakes = {
  string: text,
  text,
  richtext: text,
  uid: (value, attribute) =>
    text(value, attribute) ?? (/^[\w.~-]+$/.test(value) ? undefined : 'is not a slug'),
  enumeration: (value, { enum: values }) =>
    values.includes(value) ? undefined : `is not one of ${values.join(', ')}`,
  integer: (value, attribute) => (Number.isInteger(value) ? bounds(value, attribute) : 'is not an integer'),
  float: (value, attribute) => (Number.isFinite(value) ? bounds(value, attribute) : 'is not a number'),
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'is not true or false'),
  date: (value) => (isDay(value) ? undefined : 'is not a day of the calendar'),
  time: (value) => (/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value) ? undefined : 'is not a time'),
}

function text(value, { minLength = 0, maxLength = Infinity }) {
  if (typeof value !== 'string') return 'is not text'
  if (value !== value.trim()) return 'begins or ends with a space'
  if (value.length < minLength) return `has fewer than ${minLength} characters`
  if (value.length > maxLength) return `has ${value.length} characters, more than ${maxLength}`
}

function bounds(value, { min = -Infinity, max = Infinity }) {
  if (value < min || value > max) return `is not between ${min} and ${max}`
}

function isDay(value) {
  const time = Date.parse(`${value}T00:00:00.000Z`)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
  )
}

export function checkLibrary(data, { types, components }) {
  const problems = []
  const rowsOf = (uid) => data.entries[uid] ?? []
  const idsOf = Object.fromEntries(
    Object.keys(types).map((uid) => [uid, new Set(rowsOf(uid).map(({ id }) => id))]),
  )
  const checkFields = fieldCheck(data, { components, idsOf, problems })
  const { checkOtherSide, checkUnique } = rowChecks(rowsOf, problems)

  for (const uid of Object.keys(data.entries)) if (!types[uid]) problems.push(`${uid}: no such content-type`)
  for (const [uid, type] of Object.entries(types)) {
    const rows = rowsOf(uid)
    const localized = type.pluginOptions?.i18n?.localized === true
    const extra = ['id', 'createdAt', 'updatedAt']
    if (type.options.draftAndPublish) extra.push('publishedAt')
    if (localized) extra.push('locale', 'localizations')
    if (idsOf[uid].size !== rows.length) problems.push(`${uid}: an id occurs twice`)
    for (const row of rows) {
      const at = `${uid} ${row.id} "${row.title ?? row.name ?? row.note ?? ''}"`
      checkFields(row, type, extra, at)
      for (const name of extra) if (row[name] === undefined) problems.push(`${at}: "${name}" is missing`)
      if (localized && !data.locales.some(({ code }) => code === row.locale))
        problems.push(`${at}: no locale "${row.locale}"`)
    }
    for (const [name, attribute] of Object.entries(type.attributes)) {
      if (attribute.type === 'relation') checkOtherSide(uid, name, attribute)
      if (attribute.unique || attribute.type === 'uid') checkUnique(uid, name)
    }
  }
  return problems
}

/** The check of an entry's or a component's attributes; `problems` receives what is wrong. */
function fieldCheck(data, { components, idsOf, problems }) {
  const componentIds = {}

  function checkFields(fields, definition, extra, at) {
    for (const name of Object.keys(fields)) {
      if (!(name in definition.attributes) && !extra.includes(name))
        problems.push(`${at}: unknown attribute "${name}"`)
    }
    for (const [name, attribute] of Object.entries(definition.attributes)) {
      const value = fields[name]
      if (value === undefined) problems.push(`${at}: "${name}" is missing`)
      else if (value !== null) checkValue(value, attribute, `${at}, ${name}`)
      else if (attribute.required) problems.push(`${at}: "${name}" is required`)
    }
  }

  function checkValue(value, attribute, at) {
    if (attribute.type === 'relation') {
      if (Array.isArray(value) !== toMany(attribute)) problems.push(`${at}: one id or a list, not the other`)
      const ids = listOf(value)
      if (new Set(ids).size !== ids.length) problems.push(`${at}: an id occurs twice`)
      for (const id of ids)
        if (!idsOf[attribute.target].has(id)) problems.push(`${at}: no ${attribute.target} ${id}`)
    } else if (attribute.type === 'media') {
      for (const id of listOf(value))
        if (!data.files.some((file) => file.id === id)) problems.push(`${at}: there is no file ${id}`)
    } else if (attribute.type === 'component') {
      if (Array.isArray(value) !== attribute.repeatable)
        problems.push(`${at}: one component or a list, not the other`)
      for (const item of listOf(value)) checkComponent(item, attribute.component, at)
    } else if (attribute.type === 'dynamiczone') {
      for (const item of value) {
        if (!attribute.components.includes(item.__component))
          problems.push(`${at}: "${item.__component}" does not belong here`)
        else checkComponent(item, item.__component, at)
      }
    } else {
      const check = mistakes[attribute.type]
      const mistake = check
        ? check(value, attribute)
        : `has the type "${attribute.type}", for which there is no check`
      if (mistake) problems.push(`${at}: ${JSON.stringify(value)} ${mistake}`)
    }
  }

  function checkComponent(item, name, at) {
    componentIds[name] ??= new Set()
    if (componentIds[name].has(item.id)) problems.push(`${at}: the ${name} id ${item.id} occurs twice`)
    componentIds[name].add(item.id)
    checkFields(item, components[name], ['id', '__component'], `${at} > ${name} ${item.id}`)
  }
  return checkFields
}

/** The checks of an attribute in all rows of a content-type. */
function rowChecks(rowsOf, problems) {
  function checkOtherSide(uid, name, attribute) {
    const other = attribute.inversedBy ?? attribute.mappedBy
    if (other === undefined) return
    const targets = new Map(rowsOf(attribute.target).map((row) => [row.id, row]))
    for (const row of rowsOf(uid)) {
      for (const id of listOf(row[name])) {
        if (!listOf(targets.get(id)?.[other]).includes(row.id)) {
          problems.push(`${uid} ${row.id}: ${name} has ${id}, but its ${other} does not have ${row.id}`)
        }
      }
    }
  }

  function checkUnique(uid, name) {
    const seen = new Map()
    for (const row of rowsOf(uid)) {
      if (row[name] === null) continue
      if (seen.has(row[name]))
        problems.push(`${uid} ${row.id}: ${name} "${row[name]}" is taken by ${seen.get(row[name])}`)
      seen.set(row[name], row.id)
    }
  }

  return { checkOtherSide, checkUnique }
}
