import { type OctavoError, type Queryable, type Rows, type Sql, sql } from '@octavo/core'
import type { Registry } from '@octavo/core/plugin'
import { editorUid, roleUid } from '../content-types.ts'
import { problem } from '../problems.ts'
import type { Right } from '../rights/right.ts'

export interface EditorRow {
  readonly id: number
  readonly firstname: string | null
  readonly lastname: string | null
  readonly username: string | null
  readonly email: string | null
  readonly password: string | null
  readonly active: boolean | null
  readonly language: string | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

export interface RoleRow {
  readonly id: number
  readonly name: string | null
  readonly description: string | null
  readonly rights: readonly Right[] | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

export const editorRows = (db: Queryable, registry: Registry): Rows<EditorRow> =>
  db.rows(registry.contentType(editorUid))

export const roleRows = (db: Queryable, registry: Registry): Rows<RoleRow> =>
  db.rows(registry.contentType(roleUid))

/** The error about a name that no role has. @param first The role that is made when it is first given. */
export async function unknownRole(roles: Rows<RoleRow>, name: string, first: string): Promise<OctavoError> {
  const others = (await roles.find({ select: ['name'] })).map((role) => role.name)
  return problem('desk/unknown-role', { name, known: [...new Set([first, ...others])].join(', ') })
}

/** The join table of editors and roles. */
function membership(registry: Registry) {
  const attribute = registry.contentType(editorUid).attributes.get('roles')
  if (attribute?.kind !== 'relation' || attribute.storage.kind !== 'join')
    throw new Error('The roles of editors are in no join table')
  const { table, own, target, position } = attribute.storage
  return {
    table: sql.id(table),
    editor: sql.id(own),
    role: sql.id(target),
    position: sql.id(position),
  } satisfies Record<string, Sql>
}

/** The ids of the roles of people, by person. */
export async function rolesOf(
  db: Queryable,
  registry: Registry,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { table, editor, role } = membership(registry)
  const rows = await db.run(
    sql`select ${editor} as "editor", ${role} as "role" from ${table} where ${editor} in (${sql.join([sql`0`, ...ids.map((id) => sql`${id}`)], sql`, `)}) order by ${role}`,
  )
  const known = new Map<number, number[]>()
  for (const row of rows) {
    const list = known.get(Number(row.editor)) ?? []
    known.set(Number(row.editor), [...list, Number(row.role)])
  }
  return known
}

/** Replaces the roles of a person. */
export async function setRoles(
  db: Queryable,
  registry: Registry,
  id: number,
  roles: readonly number[],
): Promise<void> {
  const { table, editor, role, position } = membership(registry)
  await db.run(sql`delete from ${table} where ${editor} = ${id}`)
  for (const [i, given] of [...new Set(roles)].entries())
    await db.run(
      sql`insert into ${table} (${editor}, ${role}, ${position}) values (${id}, ${given}, ${i + 1})`,
    )
}

/** The people who have a role. */
export async function membersOf(
  db: Queryable,
  registry: Registry,
  roleId: number,
): Promise<readonly number[]> {
  const { table, editor, role } = membership(registry)
  const rows = await db.run(sql`select ${editor} as "id" from ${table} where ${role} = ${roleId}`)
  return rows.map(({ id }) => Number(id))
}

/** A role with its rights. */
export type RoleRights = { readonly id: number; readonly name: string; readonly rights: readonly Right[] }

/** The roles of a person, with their rights. */
export async function rightsOf(
  db: Queryable,
  registry: Registry,
  id: number,
): Promise<readonly RoleRights[]> {
  const ids = (await rolesOf(db, registry, [id])).get(id) ?? []
  if (ids.length === 0) return []
  const rows = await roleRows(db, registry).find({
    where: { id: ids },
    select: ['id', 'name', 'rights'],
    orderBy: { id: 'asc' },
  })
  return rows.map((row) => ({ id: row.id, name: row.name ?? '', rights: row.rights ?? [] }))
}

/** A person with what it may do. */
export interface Account {
  readonly editor: Pick<
    EditorRow,
    'id' | 'firstname' | 'lastname' | 'username' | 'email' | 'password' | 'language'
  >
  readonly hasSecondFactor: boolean
  readonly roles: readonly RoleRights[]
}

/**
 * The active person of a request, with its rights, as a JSON object. It is one expression, so that a request needs one statement.
 * @param editor An alias of the table of editors. @param factors The table of second factors.
 */
export function accountOf(editor: Sql, factors: Sql, registry: Registry): Sql {
  const { table, editor: member, role } = membership(registry)
  const names = ['id', 'firstname', 'lastname', 'username', 'email', 'password', 'language'] as const
  const values = sql.join(names.map((name) => sql`${sql.lit(name)}, ${editor}.${sql.id(name)}`))
  const rights = sql`json_build_object('id', "r"."id", 'name', coalesce("r"."name", ''), 'rights', coalesce("r"."rights", '[]'))`
  const roles = sql`select json_agg(${rights} order by "r"."id") from ${table} as "m" join ${sql.id(registry.contentType(roleUid).table)} as "r" on "r"."id" = "m".${role} where "m".${member} = ${editor}."id"`
  const hasFactor = sql`exists (select from ${factors} as "f" where "f"."editor_id" = ${editor}."id" and "f"."confirmed")`
  return sql`json_build_object('editor', json_build_object(${values}), 'hasSecondFactor', ${hasFactor}, 'roles', coalesce((${roles}), '[]'))`
}

/** Whether there is an editor. */
export const hasEditors = async (db: Queryable, registry: Registry): Promise<boolean> =>
  (await editorRows(db, registry).first({ select: ['id'] })) !== undefined
