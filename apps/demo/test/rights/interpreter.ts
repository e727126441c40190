/** A reference implementation of rights on a copy of the data: which cells a role may read and change. Uses neither SQL nor plans. */
import { components, fileUid, typesOfModel as types, uidOf } from './model.ts'
import type { Request } from './request.ts'
import { type Cell, type Rules, targetOf } from './rules.ts'
import type { Row, World } from './world.ts'

/** The attributes of a file that `fileInfo` sets; the others change with its content. */
const described = new Set(['name', 'alternativeText', 'caption'])

/** The changes of a request that the role may not make; empty when there are none. */
export function forbiddenChanges(rules: Rules, before: World, after: World): string[] {
  const found: string[] = []
  const gone = (uid: string | undefined, id: unknown): boolean =>
    uid !== undefined && before.get(uid)?.has(Number(id)) === true && !after.get(uid)?.has(Number(id))
  for (const [uid, rows] of before) {
    for (const [id, row] of rows) {
      const now = after.get(uid)?.get(id)
      if (!now) {
        if (!rules.allows('delete', { uid, row }, before)) found.push(`${uid} ${id} was deleted`)
        continue
      }
      for (const name of Object.keys(row)) {
        if (
          JSON.stringify(row[name]) === JSON.stringify(now[name]) ||
          isCut(uid, name, row[name], now[name], gone)
        )
          continue
        // The first localization of an entry makes the group of both.
        if (name === 'localizations' && row[name] === null && now[name] === id)
          if (rules.allows('localizeFrom', { uid, row }, before)) continue
        const cell = { uid, name }
        if (rules.noted.has(name) && mayTouch(rules, { uid, row }, before)) continue
        if (keepsParts(uid, name, row, now)) {
          const part = { uid, name: `${name}.label` }
          if (
            rules.allows('update', { ...part, row }, before) &&
            rules.allows('update', { ...part, row: now }, after)
          )
            continue
        }
        for (const file of added(uid, name, row, now))
          if (!mayAttach(rules, file, before, after)) found.push(`${uid} ${id}: ${name} has file ${file}`)
        const action = uid === fileUid && described.has(name) ? 'rename' : 'update'
        if (
          !rules.allows(action, { ...cell, row }, before) ||
          !rules.allows(action, { ...cell, row: now }, after)
        )
          found.push(
            `${uid} ${id}: ${name} was ${JSON.stringify(row[name])} and is ${JSON.stringify(now[name])}`,
          )
      }
    }
  }
  for (const [uid, rows] of after) {
    for (const [id, row] of rows) {
      if (before.get(uid)?.has(id)) continue
      for (const name of Object.keys(row))
        for (const file of added(uid, name, {}, row))
          if (!mayAttach(rules, file, before, after)) found.push(`${uid} ${id} has file ${file}`)
      const isMade = ['create', 'createLocalization'].some((action) => {
        const named = Object.keys(row).filter((name) => !rules.given.has(name) && !isEmpty(row[name]))
        // Values that a localization copies from its source need no permission.
        const asked = action === 'createLocalization' ? named.filter((name) => name === 'publishedAt') : named
        return (
          rules.allows(action, { uid, row }, after) &&
          asked.every((name) => rules.allows(action, { uid, row, name }, after))
        )
      })
      if (!isMade) found.push(`${uid} ${id} was made: ${JSON.stringify(row)}`)
    }
  }
  return found
}

/** Whether the caller may change something of an entry, which notes who did. */
const mayTouch = (rules: Rules, { uid, row }: Pick<Cell, 'uid' | 'row'>, world: World): boolean =>
  ['update', 'rename', 'createLocalization'].some((action) => rules.allows(action, { uid, row }, world)) ||
  rules.allows('update', { uid, row, name: 'publishedAt' }, world)

/** Whether the components of an attribute are there after a change, with other values. */
function keepsParts(uid: string, name: string, was: Row, is: Row): boolean {
  if (types.get(uid)?.[name]?.type !== 'component') return false
  const ids = (row: Row): readonly string[] =>
    (row[name] as readonly string[]).map((one) => one.split(' ')[0] ?? '')
  const kept = new Set(ids(is))
  return ids(was).every((id) => kept.has(id))
}

/** Files that an attribute has in the later state of its entry only. */
function added(uid: string, name: string, was: object, is: Row): readonly number[] {
  if (types.get(uid)?.[name]?.type !== 'media') return []
  const before = new Set((was as Readonly<Record<string, unknown>>)[name] as readonly number[] | undefined)
  return (is[name] as readonly number[]).filter((id) => !before.has(id))
}

function mayAttach(rules: Rules, id: number, before: World, after: World): boolean {
  const row = before.get(fileUid)?.get(id) ?? after.get(fileUid)?.get(id)
  if (!row) return false
  return rules.owns(row) || rules.allows('find', { uid: fileUid, row }, before)
}

/** Whether a request must succeed: it only sets texts that the caller may change. */
export function isPermitted(rules: Rules, { path, body, uid, kind }: Request, world: World) {
  const id = Number(/\/(\d+)\??$/.exec(path)?.[1])
  const row = uid === undefined ? undefined : world.get(uid)?.get(id)
  if (kind !== 'update' || uid === undefined || !row) return false
  const { data } = body as { readonly data: Readonly<Record<string, unknown>> }
  return (
    Object.keys(data).length > 0 &&
    Object.keys(data).every(
      (name) =>
        ['name', 'secret'].includes(name) &&
        changedWith(uid, row, name, world)
          .flatMap((one) => [one, { ...one, ...(one === row ? data : { [name]: data[name] }) }])
          .every((one) => rules.surely({ uid, row: one, name }, world)),
    )
  )
}

/** The rows that an update of an attribute changes: the value of one that is not localized is shared by all localizations. */
function changedWith(uid: string, row: Row, name: string, world: World): readonly Row[] {
  const group = row.localizations ?? null
  const marks = types.get(uid)?.[name]?.pluginOptions?.i18n as { readonly localized?: boolean } | undefined
  if (group === null || marks?.localized) return [row]
  return [...(world.get(uid)?.values() ?? [])].filter((one) => one.localizations === group)
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** Whether a change only removes the keys and links to deleted entries. */
function isCut(
  uid: string,
  name: string,
  was: unknown,
  is: unknown,
  gone: (uid: string | undefined, id: unknown) => boolean,
): boolean {
  const target = types.get(uid)?.[name]?.type === 'media' ? fileUid : targetOf(uid, name)
  if (!Array.isArray(was)) return is === null && gone(target, was)
  const stays = was.filter((one) => {
    const [type, id] = typeof one === 'string' ? one.split(' ') : [target, one]
    return !gone(type, id)
  })
  return JSON.stringify(stays) === JSON.stringify(is)
}

/** The ids of a list of tags that is filtered or sorted by their articles: only articles count that `populate` would show. */
export function expectedTags(rules: Rules, by: 'filter' | 'sort', preview: boolean, world: World) {
  const readable = (uid: string) =>
    [...(world.get(uid)?.values() ?? [])].filter((row) => rules.allows('find', { uid, row }, world))
  const articles = readable(uidOf('article')).filter((row) => preview || row.publishedAt !== null)
  const firstOf = ({ id }: Row): number =>
    Math.min(...articles.filter(({ tags }) => (tags as readonly number[]).includes(id)).map((row) => row.id))
  const tags = readable(uidOf('tag')).map((row) => ({ id: row.id, first: firstOf(row) }))
  return by === 'filter'
    ? tags
        .filter(({ first }) => Number.isFinite(first))
        .map(({ id }) => id)
        .toSorted((a, b) => a - b)
    : tags.toSorted((a, b) => (a.first === b.first ? a.id - b.id : a.first - b.first)).map(({ id }) => id)
}

/** A place in a response with an entry of a type. */
interface Shown {
  readonly uid: string
  readonly value: Readonly<Record<string, unknown>>
  readonly isRoot: boolean
}

export interface Answered {
  readonly uid: string
  readonly body: unknown
  /** The actions whose permissions show the entries at the root: that of a read, or each that reads the entry which a write answers with. */
  readonly reads: readonly string[]
  /** Whether drafts may be returned below the root. */
  readonly preview: boolean
  /** The data at the time of the response. */
  readonly world: World
}

/** Cells of a response that the role may not read. */
export function forbiddenCells(rules: Rules, { uid, body, reads, preview, world }: Answered): string[] {
  const found: string[] = []
  const isShown = (isRoot: boolean, cell: Cell): boolean =>
    (isRoot ? reads : ['find']).some((action) => rules.allows(action, cell, world))
  const visit = ({ uid, value, isRoot }: Shown): void => {
    const id = Number(value.id)
    const row = world.get(uid)?.get(id)
    if (!row) return void found.push(`${uid} ${id} is not there`)
    if (!isRoot && !preview && 'publishedAt' in row && row.publishedAt === null)
      found.push(`${uid} ${id} is a draft`)
    const attributes = (value.attributes ?? value) as Readonly<Record<string, unknown>>
    for (const [name, cell] of Object.entries(attributes)) {
      if (name === 'id' || name === 'meta') continue
      // The answer of a new localization has the list without a right to read, and then it is empty.
      if (name === 'localizations' && Array.isArray(cell) && cell.length === 0) continue
      if (
        !isShown(isRoot, { uid, row, name }) ||
        (types.get(uid)?.[name]?.private && !rules.showsPrivate(uid))
      )
        found.push(`${uid} ${id} shows ${name}: ${JSON.stringify(cell)}`)
      const target = targetOf(uid, name)
      if (target) for (const one of entriesIn(cell)) visit({ uid: target, value: one, isRoot: false })
      if (types.get(uid)?.[name]?.type === 'component')
        for (const part of entriesIn(cell))
          for (const [field, inner] of Object.entries(part)) {
            const path = `${name}.${field}`
            if (field !== 'id' && !isShown(isRoot, { uid, row, name: path }))
              found.push(`${uid} ${id} shows ${path}: ${JSON.stringify(inner)}`)
            const far = components[0]?.attributes[field]?.target
            if (typeof far === 'string')
              for (const one of entriesIn(inner)) visit({ uid: far, value: one, isRoot: false })
          }
    }
  }
  for (const value of entriesIn(body)) visit({ uid, value, isRoot: true })
  return found
}

/** The entries of a response or of a relation in it, with or without envelopes. */
function entriesIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value as readonly Readonly<Record<string, unknown>>[]
  if (typeof value !== 'object' || value === null) return []
  if ('data' in value) return entriesIn(value.data)
  return 'id' in value ? [value as Readonly<Record<string, unknown>>] : []
}
