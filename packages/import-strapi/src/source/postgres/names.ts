import snakeCase from 'lodash/snakeCase.js'
import type { Schema, SchemaAttribute } from '../../records.ts'

/** Maximum bytes of a name in PostgreSQL. */
const maxNameBytes = 63

/** As PostgreSQL cuts it. */
const cut = (name: string): string => Buffer.from(name).subarray(0, maxNameBytes).toString('utf8')

/** The column of an attribute. Strapi makes its names with the same function. */
export const columnOf = (attribute: string): string => cut(snakeCase(attribute))

/** The table of a type or a component. */
export function tableOf({ uid, collectionName }: Schema): string {
  if (collectionName !== undefined) return cut(collectionName)
  const [, plugin, name = ''] = /^plugin::([^.]+)\.(.+)$/.exec(uid) ?? []
  return plugin === undefined ? (uid.split('.')[1] ?? uid) : `${plugin}_${name}`.toLowerCase()
}

export const componentsTableOf = (schema: Schema): string => cut(`${tableOf(schema)}_components`)

export const linksTableOf = (schema: Schema, attribute: string): string =>
  cut(snakeCase(`${tableOf(schema)}_${attribute}_links`))

export const morphsTableOf = (schema: Schema, attribute: string): string =>
  cut(snakeCase(`${tableOf(schema)}_${attribute}_morphs`))

/** The name in the columns of link tables. */
export const singularOf = ({ uid, info }: Schema): string =>
  typeof info?.singularName === 'string' ? info.singularName : (uid.split('.').at(-1) ?? uid)

/** The columns of a link table. Some tables have no columns for the order. */
export interface LinkColumns {
  readonly owner: string
  readonly target: string
  /** Orders the list of the owner. */
  readonly targetOrder: string | undefined
  /** Orders the list of the target. */
  readonly ownerOrder: string | undefined
}

export function linkColumns(
  owner: Schema,
  target: Schema,
  { relation }: SchemaAttribute,
  there: (column: string) => boolean,
): LinkColumns {
  const [ownerName, targetName] = [singularOf(owner), singularOf(target)].map((name) => snakeCase(name)) as [
    string,
    string,
  ]
  const same = ownerName === targetName
  const toMany = relation === 'oneToMany' || relation === 'manyToMany'
  const ifThere = (column: string): string | undefined => (there(cut(column)) ? cut(column) : undefined)
  // Where both have one name, the second order of a manyToMany has a suffix, and a manyToOne has the owner's alone.
  const ownerOrder = same && toMany ? `inv_${ownerName}_order` : `${ownerName}_order`
  return {
    owner: cut(`${ownerName}_id`),
    target: cut(same ? `inv_${targetName}_id` : `${targetName}_id`),
    targetOrder: toMany ? ifThere(`${targetName}_order`) : undefined,
    ownerOrder: relation === 'manyToOne' || relation === 'manyToMany' ? ifThere(ownerOrder) : undefined,
  }
}

/** A name in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
