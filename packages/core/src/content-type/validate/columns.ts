import type { Draft } from '../draft/drafts.ts'
import { type Attribute, ownerColumns } from '../model.ts'
import { columnsOf } from '../storage/row-columns.ts'

const ownColumns: ReadonlySet<string> = new Set(Object.values(ownerColumns))

/** PostgreSQL's limit is 1,600 columns per table, including dropped ones. */
const maxColumns = 1_500

export function checkColumns(draft: Draft, attributes: ReadonlyMap<string, Attribute>): void {
  const owners = new Map<string, string>([['id', 'the id']])
  const scalars = [...attributes.values()].filter(({ kind }) => kind === 'scalar')
  if (draft.kind === 'component')
    for (const column of ownColumns) owners.set(column, 'the owner of the component')
  for (const attribute of attributes.values()) {
    for (const column of columnsOf(attribute)) {
      const owner = owners.get(column)
      if (owner === undefined) owners.set(column, `the attribute "${attribute.name}"`)
      // The group key of siblings is one column, whatever the number of attributes.
      else if (
        !(
          attribute.kind === 'relation' &&
          attribute.storage.kind === 'siblings' &&
          attributesShare(attributes, owner, column)
        )
      ) {
        const scalar = [attribute, ...scalars].find(
          (one) => one.kind === 'scalar' && columnsOf(one).includes(column),
        )
        const way = scalar
          ? `give "${scalar.name}" another one, such as "columnName": "${column}_value"`
          : 'rename one of them'
        draft.report(['attributes', attribute.name], `its column "${column}" is taken by ${owner}; ${way}`)
      }
    }
  }
  if (owners.size > maxColumns)
    draft.report(
      ['attributes'],
      `needs ${owners.size} columns; a table has at most ${maxColumns}: move some into components`,
    )
}

const attributesShare = (
  attributes: ReadonlyMap<string, Attribute>,
  owner: string,
  column: string,
): boolean =>
  [...attributes.values()].some(
    (other) =>
      owner === `the attribute "${other.name}"` &&
      other.kind === 'relation' &&
      other.storage.kind === 'siblings' &&
      other.storage.column === column,
  )
