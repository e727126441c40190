import type { SmallRows } from '../plan/scan.ts'
import type { ApiTokenRecord, EntityRecord } from '../records.ts'

/** Locales, with the default one marked. */
export const localesSection = (locales: readonly EntityRecord[], defaultCode: string): readonly unknown[] =>
  [...locales]
    .sort((a, b) => a.id - b.id)
    .map(({ id, data: { name, code, createdAt, updatedAt } }) => ({
      id,
      name,
      code,
      isDefault: code === defaultCode,
      createdAt,
      updatedAt,
    }))

/** Roles with their permissions. A role whose type is missing or taken gets one of its own. */
export function rolesSection(
  { roles, permissions }: SmallRows,
  roleOf: ReadonlyMap<number, number>,
): readonly unknown[] {
  const types = new Set<string>()
  return [...roles]
    .sort((a, b) => a.id - b.id)
    .map(({ id, data }) => {
      const given = typeof data.type === 'string' && data.type !== '' ? data.type : `role-${id}`
      const type = types.has(given) ? `${given}-${id}` : given
      types.add(type)
      return {
        id,
        name: data.name,
        description: data.description,
        type,
        createdAt: data.createdAt,
        updatedAt: data.updatedAt,
        permissions: permissions
          .filter((permission) => roleOf.get(permission.id) === id)
          .map((permission) => permission.data.action)
          .filter((action) => typeof action === 'string'),
      }
    })
}

/** Tokens for server-to-server requests, of which only the hash is known. */
export const apiTokensSection = (tokens: readonly ApiTokenRecord[]): readonly unknown[] =>
  tokens.map(({ id, name, type, accessKey, permissions, expiresAt }) => ({
    id,
    name,
    hash: accessKey,
    access: type === 'full-access' ? 'full' : type === 'custom' ? permissions : 'read-only',
    expiresAt,
  }))
