/** The rights of a caller, as the interpreter asks for them: by the permissions of a role of users, or by the rights of an editor. */
import type { Right } from '@octavo/plugin-editors'
import type { Permission } from '@octavo/plugin-users-permissions'
import { editorUid, fileActions, fileUid, typesOfModel, userUid } from './model.ts'
import type { Row, World } from './world.ts'

/** The id of Ada, the caller, as a user and as an editor. */
export const self = 1

/** An entry in a state of the data, or one of its attributes: `name`, or a part of a component by path. */
export interface Cell {
  readonly uid: string
  readonly row: Row
  readonly name?: string
}

export interface Rules {
  /** Whether an action on an entry is granted, for an attribute. An upper bound: the server may refuse more. */
  allows(action: string, cell: Cell, world: World): boolean
  /** Whether an update of an attribute must succeed. */
  surely(cell: Cell, world: World): boolean
  /** Cells that the server gives a new entry whatever its maker may write. */
  readonly given: ReadonlySet<string>
  /** Cells that the server sets in each change. */
  readonly noted: ReadonlySet<string>
  /** Whether a file belongs to the caller. */
  owns(file: Row): boolean
  /** Whether answers may show an attribute that is private. */
  showsPrivate(uid: string): boolean
}

type Where = NonNullable<Permission['where']>

/** The content-type that an attribute leads to. */
export const targetOf = (uid: string, name: string): string | undefined => {
  const target = name === 'localizations' ? uid : typesOfModel.get(uid)?.[name]?.target
  return typeof target === 'string' ? target : undefined
}

/** Whether an entry meets a condition. @param roles The roles of the caller. */
function meets(where: Where, { uid, row }: Cell, world: World, roles: readonly number[] = []): boolean {
  return Object.entries(where).every(([name, wanted]): boolean => {
    if (name === '$or')
      return (wanted as readonly Where[]).some((one) => meets(one, { uid, row }, world, roles))
    const cell = row[name] ?? null
    if (wanted === '$editor.roles') return (cell as readonly number[]).some((id) => roles.includes(id))
    if (typeof wanted === 'object' && wanted !== null) {
      const target = targetOf(uid, name) ?? ''
      const there = world.get(target)?.get(Number(cell))
      return there !== undefined && meets(wanted as Where, { uid: target, row: there }, world, roles)
    }
    return String(cell) === String(wanted === '$user.id' || wanted === '$editor.id' ? self : wanted)
  })
}

const powers = new Set(['role', 'blocked', 'confirmed', 'provider'])
const noted = new Set(['updatedBy', 'updatedByCaller'])
const givenToAll = ['id', 'createdAt', 'locale', 'localizations', 'createdBy', 'createdByCaller', ...noted]

/** The rules of a role of users. */
export function permissionRules(permissions: readonly Permission[]): Rules {
  const allows: Rules['allows'] = (action, { uid, row, name: path }, world) => {
    // A permission names components as a whole.
    const [name] = path?.split('.') ?? []
    if (action === 'localizeFrom') return allows('createLocalization', { uid, row }, world)
    const required =
      uid === fileUid ? `plugin::upload.content-api.${fileActions[action]}` : `${uid}.${action}`
    const permission = permissions.find((one) => one.action === required)
    // S-24: these are written only where `fields` names them.
    if (uid === userUid && action === 'update' && name !== undefined && powers.has(name))
      if (!permission?.fields?.includes(name)) return false
    if (action === 'me' && row.id !== self) return false
    if (!permission || (permission.where && !meets(permission.where, { uid, row }, world))) return false
    return name === undefined || permission.fields === undefined || permission.fields.includes(name)
  }
  return {
    allows,
    surely: (cell, world) => allows('update', cell, world),
    given: new Set([...givenToAll, 'publishedAt']),
    noted,
    owns: (file) => Number(file.uploadedBy) === self,
    showsPrivate: () => false,
  }
}

const rightOf: Readonly<Record<string, string>> = {
  find: 'read',
  findOne: 'read',
  create: 'create',
  createLocalization: 'create',
  localizeFrom: 'read',
  update: 'update',
  rename: 'update',
  delete: 'delete',
}
/** Shown with each entry that an editor may read. */
const alwaysShown = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
  'createdBy',
  'updatedBy',
  'createdByCaller',
  'updatedByCaller',
])
const names = new Set(['firstname', 'lastname', 'createdAt', 'updatedAt'])

/** Whether a right names an attribute, or with `part` a part of it. */
const includes = (fields: readonly string[] | undefined, path: string, part: boolean): boolean =>
  fields === undefined ||
  fields.some(
    (field) => field === path || path.startsWith(`${field}.`) || (part && field.startsWith(`${path}.`)),
  )

/** The rules of an editor with these roles. */
export function editorRules(
  roles: readonly { readonly id: number; readonly rights: readonly Right[] }[],
): Rules {
  const ids = roles.map(({ id }) => id)
  const rights = roles.flatMap((role) => role.rights).flatMap((right) => ('type' in right ? [right] : []))
  const reaching = (action: string | undefined, { uid, row }: Cell, world: World) =>
    rights.filter(
      ({ action: own, type, locales, where }) =>
        own === action &&
        type === uid &&
        (locales?.includes(String(row.locale)) ?? true) &&
        (where === undefined || meets(where as Where, { uid, row }, world, ids)),
    )
  return {
    allows: (asked, cell, world) => {
      const { uid, name } = cell
      const action =
        name === 'publishedAt' && asked !== 'find' && asked !== 'findOne' ? 'publish' : rightOf[asked]
      if (uid === editorUid) return action === 'read' && (name === undefined || names.has(name))
      const found = reaching(action, cell, world)
      if (name === undefined || (action === 'read' && alwaysShown.has(name)) || action === 'publish')
        return found.length > 0
      return found.some(({ fields }) => includes(fields, name, action === 'read'))
    },
    surely: (cell, world) =>
      reaching('update', cell, world).some(
        ({ fields, locales, where }) =>
          locales === undefined && where === undefined && includes(fields, cell.name ?? '', false),
      ),
    given: new Set(givenToAll),
    noted,
    owns: (file) => Number(file.createdBy) === self,
    showsPrivate: (uid) => uid.startsWith('api::'),
  }
}
