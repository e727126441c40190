import type { Queryable, Rows } from '@octavo/core'
import type { Registry } from '@octavo/core/plugin'
import { permissionUid, roleUid, userUid } from './content-types.ts'

/** Rows of users, roles and permissions, by attribute name, without the attributes that a project adds to users. */
export interface UserRow {
  readonly id: number
  readonly username: string | null
  readonly email: string | null
  readonly provider: string | null
  readonly password: string | null
  readonly confirmed: boolean | null
  readonly blocked: boolean | null
  readonly role: number | null
  readonly resetPasswordToken: string | null
  readonly resetPasswordExpires: string | null
  readonly confirmationToken: string | null
  readonly tokenVersion: number | null
  readonly providerSubject: string | null
  readonly pendingEmail: string | null
  readonly usernameLook: string | null
  readonly usernameWrittenLook: string | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

export interface RoleRow {
  readonly id: number
  readonly name: string | null
  readonly description: string | null
  readonly type: string | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

export interface PermissionRow {
  readonly id: number
  readonly action: string | null
  readonly role: number | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

export const userRows = (db: Queryable, registry: Registry): Rows<UserRow> =>
  db.rows(registry.contentType(userUid))

export const roleRows = (db: Queryable, registry: Registry): Rows<RoleRow> =>
  db.rows(registry.contentType(roleUid))

export const permissionRows = (db: Queryable, registry: Registry): Rows<PermissionRow> =>
  db.rows(registry.contentType(permissionUid))

/** The values of a boolean other than true; imported rows may have null. */
export const notTrue = [false, null] as const
