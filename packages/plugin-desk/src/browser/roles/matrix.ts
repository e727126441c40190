/** The rights of a role as a matrix: content-types by actions, and in each cell the ways in which the action is allowed. */

import { lookOf } from '../model/layout.ts'
import { type AttributeDefinition, type ContentType, fileUid, inWords, type Model } from '../model/model.ts'
import { covers, type Right } from '../people/give.ts'

export const contentActions = ['create', 'read', 'update', 'delete', 'publish'] as const
export const generalActions = [
  'people',
  'roles',
  'layouts',
  'tokens',
  'webhooks',
  'settings',
  'everything',
] as const

export interface Cell {
  readonly type: string
  readonly action: string
}

export const cellId = ({ type, action }: Cell): string => `right-${type}-${action}`

const isIn =
  ({ type, action }: Cell) =>
  (right: Right) =>
    right.type === type && right.action === action

export const rightsIn = (rights: readonly Right[], cell: Cell): readonly Right[] => rights.filter(isIn(cell))

/** The rights with others in a cell. */
export function withCell(rights: readonly Right[], cell: Cell, inside: readonly Right[]): readonly Right[] {
  const at = rights.findIndex(isIn(cell))
  const others = rights.filter((right) => !isIn(cell)(right))
  return others.toSpliced(at < 0 ? others.length : Math.min(at, others.length), 0, ...inside)
}

/** The widest rights of a cell that somebody with some rights may give; empty without any. */
export const givenIn = (own: readonly Right[], { type, action }: Cell): readonly Right[] =>
  own.some((right) => right.action === 'everything') ? [{ action, type }] : rightsIn(own, { type, action })

/** The first right that somebody with some rights may not give. */
export const notOwn = (own: readonly Right[], rights: readonly Right[]): Right | undefined =>
  rights.find((wanted) => !own.some((one) => covers(one, wanted)))

/** Whether an action can be limited to fields, and to languages. */
export const takesFields = ({ type, action }: Cell): boolean =>
  type !== fileUid && !['delete', 'publish'].includes(action)

/** A field that a right may name, or a part of one. */
export interface FieldPath {
  /** `seo.metaTitle` */
  readonly path: string
  readonly label: string
}

/** The fields of a content-type with those of its components, by path. Zones are fields as a whole. */
export function fieldPaths(type: ContentType, model: Model): readonly FieldPath[] {
  const below = (
    owner: { readonly uid: string; readonly attributes: Readonly<Record<string, AttributeDefinition>> },
    prefix: string,
    before: string,
    seen: readonly string[],
  ): readonly FieldPath[] =>
    Object.entries(owner.attributes).flatMap(([name, definition]): readonly FieldPath[] => {
      if (definition.readOnly === true) return []
      const label = `${before}${lookOf(model, owner.uid, name).label || inWords(name)}`
      const path = `${prefix}${name}`
      const component = model.components.find(
        ({ uid }) => definition.type === 'component' && uid === definition.component,
      )
      const inside =
        component && !seen.includes(component.uid)
          ? below(component, `${path}.`, `${label} › `, [...seen, component.uid])
          : []
      return [{ path, label }, ...inside]
    })
  return below(type, '', '', [])
}

const ownEntries = { createdBy: '$editor.id' }
const entriesOfRoles = { createdBy: { roles: '$editor.roles' } }

/** The usual conditions by name; `other` for the rest. */
export type ConditionName = 'all' | 'own' | 'roles' | 'other'

export const conditions: Readonly<Record<Exclude<ConditionName, 'other'>, object | undefined>> = {
  all: undefined,
  own: ownEntries,
  roles: entriesOfRoles,
}

export function conditionName(where: Right['where']): ConditionName {
  const text = JSON.stringify(where)
  const found = Object.entries(conditions).find(([, condition]) => JSON.stringify(condition) === text)
  return (found?.[0] as ConditionName | undefined) ?? 'other'
}
