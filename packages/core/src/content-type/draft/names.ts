/**
 * Valid names. They become columns, tables and keys of JSON; they are also quoted in SQL, so this is
 * the first of two defences (attack S-17). All patterns take linear time.
 */

/** Characters of a name. Tables and columns with more bytes than PostgreSQL takes are shortened; a limit keeps messages and addresses readable. */
const nameLength = 200
const tooLong = `is too long: a name has at most ${nameLength} characters`
const uidLength = 2 * nameLength + 50

/** The reason why an attribute name is invalid; `undefined` when it is valid. */
export function attributeNameMistake(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name))
    return 'is no name: it must begin with a letter, followed by letters, digits, _ and -'
  if (name.length > nameLength) return tooLong
  if (isReserved(name)) return 'is a reserved name'
  return undefined
}

/** Reserved names of responses, requests or JavaScript objects, in any spelling with the same column name. */
const reserved = new Set([
  'id',
  'createdat',
  'updatedat',
  'createdby',
  'updatedby',
  'createdbyid',
  'updatedbyid',
  'prototype',
])

function isReserved(name: string): boolean {
  return reserved.has(name.replace(/[_-]/g, '').toLowerCase()) || Object.hasOwn(Object.prototype, name)
}

/** The reason why a table name is invalid; `undefined` when it is valid. */
export function tableNameMistake(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name))
    return 'is no name of a table: it must begin with a letter, followed by letters, digits, _ and -'
  if (name.length > nameLength) return tooLong
  // `pg_class` would be PostgreSQL's table; the other prefixes are those of core and MikroORM.
  if (/^(pg|octavo|mikro_orm)_/i.test(name))
    return 'begins like a table that is not for content: pg_, octavo_ and mikro_orm_ are reserved'
  // MikroORM looks tables up in an object.
  if (Object.hasOwn(Object.prototype, name)) return 'is a reserved name'
  return undefined
}

/** `reading-list`: a name in paths. */
export const isKebabCase = (name: string): boolean =>
  name.length <= nameLength && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)

/** `api::article.article`, `plugin::upload.file`, `admin::user` */
export const isContentTypeUid = (uid: string): boolean =>
  uid.length <= uidLength &&
  /^[a-z][a-z0-9-]*::[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9][A-Za-z0-9_-]*)?$/.test(uid)

/** `shared.seo` */
export const isComponentUid = (uid: string): boolean =>
  uid.length <= uidLength && /^[A-Za-z0-9][A-Za-z0-9_-]*\.[A-Za-z0-9][A-Za-z0-9_-]*$/.test(uid)

/** Formats an unexpected value for a message: short, on one line; never throws. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (value === null || ['undefined', 'number', 'boolean'].includes(typeof value)) return String(value)
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
