import type { Client } from 'pg'
import type { CreatorRecord, EditorPermission, EditorRecords, Schema } from '../../records.ts'
import type { Catalog } from './catalog.ts'
import { quoted, tableOf } from './names.ts'

const time = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const tables = [
  'admin_users',
  'admin_users_roles_links',
  'admin_roles',
  'admin_permissions',
  'admin_permissions_role_links',
]

/** Administrators, their roles and permissions; `undefined` when one of the tables is missing. */
export async function readEditors(client: Client, catalog: Catalog): Promise<EditorRecords | undefined> {
  if (!tables.every((table) => catalog.has(table))) return undefined
  const people = await client.query<{
    id: number
    email: string | null
    firstname: string | null
    lastname: string | null
    username: string | null
    password: string | null
    active: boolean | null
    language: string | null
    created_at: string | null
    roles: readonly number[] | null
  }>(
    `select id, email, firstname, lastname, username, password, is_active and blocked is not true as active,
       prefered_language as language, ${time('created_at')} as created_at,
       (select json_agg(l.role_id order by l.role_id) from admin_users_roles_links l where l.user_id = u.id) as roles
     from admin_users u where email is not null order by id`,
  )
  const roles = await client.query<{
    id: number
    name: string | null
    code: string | null
    description: string | null
    permissions: readonly EditorPermission[] | null
  }>(
    `select id, name, code, description,
       (select json_agg(json_build_object('action', p.action, 'subject', p.subject,
          'properties', coalesce(p.properties, '{}'), 'conditions', coalesce(p.conditions, '[]')) order by p.id)
        from admin_permissions p join admin_permissions_role_links l on l.permission_id = p.id where l.role_id = r.id) as permissions
     from admin_roles r order by id`,
  )
  return {
    people: people.rows.map(({ created_at, ...row }) => ({
      ...row,
      email: row.email ?? '',
      active: row.active === true,
      createdAt: created_at,
      roles: row.roles ?? [],
    })),
    roles: roles.rows.map((row) => ({
      ...row,
      name: row.name ?? `role ${row.id}`,
      code: row.code ?? '',
      permissions: (row.permissions ?? [])
        .filter(({ action }) => typeof action === 'string')
        .map((one) => ({ ...one, properties: one.properties ?? {}, conditions: one.conditions ?? [] })),
    })),
  }
}

/** Entries that are read at a time. */
const batch = 1_000

/** The editors who made and changed the entries of a content-type. */
export async function* readCreators(
  client: Client,
  catalog: Catalog,
  schema: Schema,
): AsyncGenerator<readonly CreatorRecord[]> {
  const table = tableOf(schema)
  if (!catalog.has(table, 'created_by_id') || !catalog.has(table, 'updated_by_id')) return
  for (let after = 0; ; ) {
    const { rows } = await client.query<{ id: number; made: number | null; changed: number | null }>(
      `select id, created_by_id as made, updated_by_id as changed from ${quoted(table)}
       where id > $1 and (created_by_id is not null or updated_by_id is not null) order by id limit ${batch}`,
      [after],
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(({ id, made, changed }) => ({
      type: schema.uid,
      id,
      createdBy: made,
      updatedBy: changed,
    }))
    after = last.id
  }
}
