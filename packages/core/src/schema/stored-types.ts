import { isDeepStrictEqual } from 'node:util'
import type { Queryable, Transaction } from '@octavo/database'
import { param, sql } from '@octavo/database'
import type { ContentTypeDefinition } from '../content-type/definition/definition.ts'
import { DefinitionError } from '../content-type/definition/definition-error.ts'
import { notesWith, writeNote } from './notes.ts'

/** Notes with the definitions of content-types that were added at run time: `added-type:<uid>`. */
const prefix = 'added-type:'

/** The channel that announces them. Channels of plugins have no hyphen in their names. */
export const addedTypesChannel = 'octavo-added-types'

/** The stored definitions as JSON, by uid. */
export async function storedTypes(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const notes = await notesWith(db, prefix)
  return new Map([...notes].map(([key, text]) => [key.slice(prefix.length), text]))
}

/** Stores a definition, in the transaction that makes its tables, and announces it to the other processes at the commit. */
export async function storeType(tx: Transaction, uid: string, text: string): Promise<void> {
  await writeNote(tx, `${prefix}${uid}`, text)
  await tx.run(sql`select pg_notify(${param(addedTypesChannel, 'text')}, ${param(uid, 'text')})`)
}

/** @throws DefinitionError for a definition that is not JSON, such as one with a function as `default`. */
export function definitionText(definition: ContentTypeDefinition): string {
  const text = JSON.stringify(definition)
  // Keys whose value is `undefined` are the only ones that JSON may leave out.
  if (isDeepStrictEqual(JSON.parse(text), defined(definition))) return text
  const message =
    'a content-type that is added at run time is stored for the other processes, so its definition must be JSON, without functions and instances of classes'
  throw new DefinitionError([{ source: definition.info.singularName, path: '', message }])
}

export const definitionOf = (text: string): ContentTypeDefinition => JSON.parse(text)

function defined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(defined)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, defined(item)]),
  )
}
