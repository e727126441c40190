/** Editors and their roles in data files and imports. */
import { type Octavo, sql, type Transaction } from '@octavo/core'
import { foldEmail, isObject } from '@octavo/core/internal'
import { importItems, isId, type Registry, type SectionHandler } from '@octavo/core/plugin'
import { isEmail } from './accounts/email.ts'
import { bcryptHash } from './accounts/password.ts'
import { editorRows, roleRows, rolesOf, setRoles } from './accounts/rows.ts'
import { editorUid, roleUid } from './content-types.ts'
import type { EditorRights } from './rights/narrow.ts'
import { readRights } from './rights/read-rights.ts'

interface SectionContext {
  readonly octavo: () => Octavo
  readonly rights: EditorRights
}

type Item = Readonly<Record<string, unknown>>

/** @throws Error that names the place of an item without an id */
function readItem(item: unknown, at: string): Item & { readonly id: number } {
  if (isObject(item) && isId(item.id)) return item as Item & { readonly id: number }
  throw new Error(`${at}.id must be a whole number from 1`)
}

/** An empty list for an absent value. @throws Error for anything but a list of ids of roles */
async function readRoles(
  roles: unknown,
  at: string,
  tx: Transaction,
  registry: Registry,
): Promise<readonly number[]> {
  const list = roles ?? []
  if (!Array.isArray(list) || !list.every(isId)) throw new Error(`${at}.roles must be a list of ids`)
  const found = await roleRows(tx, registry).find({ select: ['id'], where: { id: list } })
  const missing = list.find((id) => !found.some((role) => role.id === id))
  if (missing !== undefined) throw new Error(`${at}.roles: there is no role with id ${missing}`)
  return list
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Roles: `{ id, name, description, rights }`. */
export const rolesSection = ({ octavo, rights }: SectionContext): SectionHandler => ({
  types: [roleUid],
  async import(items, tx) {
    const { registry } = octavo()
    const rows = roleRows(tx, registry)
    await importItems('editorRoles', items, rows, async (given, at) => {
      const { id, name, description, rights: list } = readItem(given, at)
      const read = readRights(list, registry, rights)
      const [mistake] = read.mistakes
      if (mistake) throw new Error(`${at}.${mistake.message}`)
      const known = await rows.first({ where: { id }, select: ['name'] })
      const row = {
        name: textOf(name) ?? `role ${id}`,
        description: textOf(description),
        rights: read.rights,
      }
      if (known && known.name !== null && known.name !== row.name)
        throw new Error(
          `${at}: the id ${id} is that of the role ${JSON.stringify(known.name)}; its rights would be those of other people`,
        )
      const times = { createdAt: sql`now()`, updatedAt: sql`now()` }
      const changed = await rows.update({
        where: { id },
        set: { ...row, updatedAt: sql`now()` },
        returning: ['id'],
      })
      if (changed.length === 0) await rows.insert({ id, ...row, ...times })
    })
  },
  async export(tx) {
    const { registry } = octavo()
    return roleRows(tx, registry).find({
      select: ['id', 'name', 'description', 'rights'],
      orderBy: { id: 'asc' },
    })
  },
})

/** People: `{ id, email, firstname, lastname, username, password, active, language, roles }`, the password as a bcrypt hash or null. */
export const editorsSection = ({ octavo }: SectionContext): SectionHandler => ({
  types: [editorUid],
  async import(items, tx) {
    const { registry } = octavo()
    const rows = editorRows(tx, registry)
    await importItems('editors', items, rows, async (given, at) => {
      const { id, roles, ...item } = readItem(given, at)
      const email = foldEmail(textOf(item.email) ?? '')
      if (!isEmail(email)) throw new Error(`${at}.email is no address`)
      const password = textOf(item.password)
      if (password !== null && !bcryptHash.test(password)) throw new Error(`${at}.password is no bcrypt hash`)
      const active = item.active ?? false
      if (typeof active !== 'boolean') throw new Error(`${at}.active must be true or false`)
      const known = await rows.first({ where: { id }, select: ['email'] })
      if (known && known.email !== null && known.email !== email)
        throw new Error(`${at}: the id ${id} is that of the person ${JSON.stringify(known.email)}`)
      const row = {
        email,
        password,
        firstname: textOf(item.firstname),
        lastname: textOf(item.lastname),
        username: textOf(item.username),
        language: textOf(item.language),
        active,
        updatedAt: sql`now()`,
      }
      const changed = await rows.update({ where: { id }, set: row, returning: ['id'] })
      if (changed.length === 0) await rows.insert({ id, ...row, createdAt: sql`now()` })
      await setRoles(tx, registry, id, await readRoles(roles, at, tx, registry))
    })
  },
  async export(tx) {
    const { registry } = octavo()
    const people = await editorRows(tx, registry).find({
      select: ['id', 'email', 'firstname', 'lastname', 'username', 'password', 'active', 'language'],
      orderBy: { id: 'asc' },
    })
    const roles = await rolesOf(
      tx,
      registry,
      people.map(({ id }) => id),
    )
    return people.map((person) => ({ ...person, roles: roles.get(person.id) ?? [] }))
  },
})
