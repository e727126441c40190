/** A reference implementation of rights on a copy of the data: which cells a role may read and change. Uses neither SQL nor plans. */
import type { Permission } from '@octavo/plugin-users-permissions'
import {
  components,
  contentTypes,
  fileActions,
  fileAttributes,
  fileUid,
  names,
  uidOf,
  userAttributes,
  userUid,
} from './model.ts'
import type { Request } from './request.ts'
import type { Row, World } from './world.ts'

/** The id of Ada, the caller. */
const self = 1

const types = new Map(contentTypes.map((type, i) => [uidOf(names[i] ?? ''), type.attributes]))
types.set(userUid, userAttributes)
types.set(fileUid, fileAttributes)
const targetOf = (uid: string, name: string): string | undefined => {
  const target = name === 'localizations' ? uid : types.get(uid)?.[name]?.target
  return typeof target === 'string' ? target : undefined
}

function meets(where: NonNullable<Permission['where']>, uid: string, row: Row, world: World): boolean {
  return Object.entries(where).every(([name, wanted]): boolean => {
    if (name === '$or') return (wanted as (typeof where)[]).some((one) => meets(one, uid, row, world))
    const cell = row[name] ?? null
    if (typeof wanted === 'object' && wanted !== null) {
      const target = targetOf(uid, name) ?? ''
      const there = world.get(target)?.get(Number(cell))
      return there !== undefined && meets(wanted as typeof where, target, there, world)
    }
    return String(cell) === String(wanted === '$user.id' ? self : wanted)
  })
}

/** Whether an action on an entry in a state of the data is granted, for an attribute. */
function allows(
  permissions: readonly Permission[],
  action: string,
  { uid, row, name }: { readonly uid: string; readonly row: Row; readonly name?: string },
  world: World,
): boolean {
  const required = uid === fileUid ? `plugin::upload.content-api.${fileActions[action]}` : `${uid}.${action}`
  const permission = permissions.find((one) => one.action === required)
  // S-24: these are written only where `fields` names them.
  if (uid === userUid && action === 'update' && name !== undefined && powers.has(name))
    if (!permission?.fields?.includes(name)) return false
  if (action === 'me' && row.id !== self) return false
  if (!permission || (permission.where && !meets(permission.where, uid, row, world))) return false
  return name === undefined || permission.fields === undefined || permission.fields.includes(name)
}

const powers = new Set(['role', 'blocked', 'confirmed', 'provider'])
/** The attributes of a file that `fileInfo` sets; the others change with its content. */
const described = new Set(['name', 'alternativeText', 'caption'])

/** Cells that the server gives a new entry whatever its maker may write. */
const given = new Set(['id', 'createdAt', 'publishedAt', 'locale', 'localizations'])
const reads = ['find', 'findOne', 'me']

/** The changes of a request that the role may not make; empty when there are none. */
export function forbiddenChanges(permissions: readonly Permission[], before: World, after: World): string[] {
  const found: string[] = []
  const gone = (uid: string | undefined, id: unknown): boolean =>
    uid !== undefined && before.get(uid)?.has(Number(id)) === true && !after.get(uid)?.has(Number(id))
  for (const [uid, rows] of before) {
    for (const [id, row] of rows) {
      const now = after.get(uid)?.get(id)
      if (!now) {
        if (!allows(permissions, 'delete', { uid, row }, before)) found.push(`${uid} ${id} was deleted`)
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
          if (allows(permissions, 'createLocalization', { uid, row }, before)) continue
        const cell = { uid, name }
        for (const file of added(uid, name, row, now))
          if (!mayAttach(permissions, file, before, after))
            found.push(`${uid} ${id}: ${name} has file ${file}`)
        const action = uid === fileUid && described.has(name) ? 'rename' : 'update'
        if (
          !allows(permissions, action, { ...cell, row }, before) ||
          !allows(permissions, action, { ...cell, row: now }, after)
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
          if (!mayAttach(permissions, file, before, after)) found.push(`${uid} ${id} has file ${file}`)
      const isMade = ['create', 'createLocalization'].some((action) => {
        const named = Object.keys(row).filter((name) => !given.has(name) && !isEmpty(row[name]))
        // Values that a localization copies from its source need no permission.
        return (
          allows(permissions, action, { uid, row }, after) &&
          (action === 'createLocalization' ||
            named.every((name) => allows(permissions, action, { uid, row, name }, after)))
        )
      })
      if (!isMade) found.push(`${uid} ${id} was made: ${JSON.stringify(row)}`)
    }
  }
  return found
}

/** Files that an attribute has in the later state of its entry only. */
function added(uid: string, name: string, was: object, is: Row): readonly number[] {
  if (types.get(uid)?.[name]?.type !== 'media') return []
  const before = new Set((was as Readonly<Record<string, unknown>>)[name] as readonly number[] | undefined)
  return (is[name] as readonly number[]).filter((id) => !before.has(id))
}

function mayAttach(permissions: readonly Permission[], id: number, before: World, after: World): boolean {
  const row = before.get(fileUid)?.get(id) ?? after.get(fileUid)?.get(id)
  if (!row) return false
  return Number(row.uploadedBy) === self || allows(permissions, 'find', { uid: fileUid, row }, before)
}

/** Whether a request must succeed: it only sets texts that the caller may change. */
export function isPermitted(
  permissions: readonly Permission[],
  { path, body, uid, kind }: Request,
  world: World,
) {
  const id = Number(/\/(\d+)\??$/.exec(path)?.[1])
  const row = uid === undefined ? undefined : world.get(uid)?.get(id)
  if (kind !== 'update' || uid === undefined || !row) return false
  const { data } = body as { readonly data: Readonly<Record<string, unknown>> }
  return Object.keys(data).every(
    (name) =>
      ['name', 'secret'].includes(name) &&
      changedWith(uid, row, name, world)
        .flatMap((one) => [one, { ...one, ...(one === row ? data : { [name]: data[name] }) }])
        .every((one) => allows(permissions, 'update', { uid, row: one, name }, world)),
  )
}

/** The rows that an update of an attribute changes: the value of one that is not localized is shared by all localizations. */
function changedWith(uid: string, row: Row, name: string, world: World): readonly Row[] {
  const group = row.localizations ?? null
  if (group === null || types.get(uid)?.[name]?.pluginOptions) return [row]
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
export function expectedTags(
  permissions: readonly Permission[],
  by: 'filter' | 'sort',
  preview: boolean,
  world: World,
) {
  const readable = (uid: string) =>
    [...(world.get(uid)?.values() ?? [])].filter((row) => allows(permissions, 'find', { uid, row }, world))
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
  /** Whether drafts may be returned below the root. */
  readonly preview: boolean
  /** The data at the time of the response. */
  readonly world: World
}

/** Cells of a response that the role may not read. */
export function forbiddenCells(
  permissions: readonly Permission[],
  { uid, body, preview, world }: Answered,
): string[] {
  const found: string[] = []
  const visit = ({ uid, value, isRoot }: Shown): void => {
    const id = Number(value.id)
    const row = world.get(uid)?.get(id)
    if (!row) return void found.push(`${uid} ${id} is not there`)
    if (!isRoot && !preview && 'publishedAt' in row && row.publishedAt === null)
      found.push(`${uid} ${id} is a draft`)
    const attributes = (value.attributes ?? value) as Readonly<Record<string, unknown>>
    for (const [name, cell] of Object.entries(attributes)) {
      if (name === 'id' || name === 'meta') continue
      const isOpen = (isRoot ? reads : ['find']).some((action) =>
        allows(permissions, action, { uid, row, name }, world),
      )
      if (!isOpen || types.get(uid)?.[name]?.private)
        found.push(`${uid} ${id} shows ${name}: ${JSON.stringify(cell)}`)
      const target = targetOf(uid, name)
      if (target) for (const one of entriesIn(cell)) visit({ uid: target, value: one, isRoot: false })
      if (types.get(uid)?.[name]?.type === 'component')
        for (const part of entriesIn(cell))
          for (const [field, inner] of Object.entries(part)) {
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
