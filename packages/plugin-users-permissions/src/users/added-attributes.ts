import { readFileSync } from 'node:fs'
import type { AttributeDefinition } from '@octavo/core'
import type { UsersPermissionsOptions } from '../options.ts'

/**
 * What a project adds to a user. It reads at once and not in the background: it is done once, at start.
 * @throws Error that names the file when it cannot be read or has no attributes.
 */
export function addedAttributes(
  user: UsersPermissionsOptions['user'],
): Readonly<Record<string, AttributeDefinition>> {
  if (typeof user !== 'string') return user?.attributes ?? {}
  let definition: unknown
  try {
    definition = JSON.parse(readFileSync(user, 'utf8'))
  } catch (error) {
    throw new Error(`${user} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  const attributes = (definition as { readonly attributes?: unknown } | null)?.attributes
  if (typeof attributes !== 'object' || attributes === null) throw new Error(`${user} has no attributes`)
  // The registry checks each of them.
  return attributes as Readonly<Record<string, AttributeDefinition>>
}
