/** The fields that a filter of a list can have, and their words. */
import { type Condition, operatorsFor } from '../../filters/index.ts'
import { lookOf, mainFieldOf } from '../layout.ts'
import { type AttributeDefinition, inWords, type LaidOut, type Model, targetOf } from '../model.ts'
import type { Texts } from '../text/index.ts'

export interface FilterField {
  /** `title`, or through a relation or component `author.name`. */
  readonly path: string
  readonly label: string
  readonly definition: AttributeDefinition
}

type Owner = LaidOut & { readonly uid: string }

const isOffered = (name: string, definition: AttributeDefinition): boolean =>
  operatorsFor(definition.type).length > 0 &&
  definition.private !== true &&
  !['locale', 'localizations'].includes(name) &&
  !name.endsWith('ByCaller')

/** The content-type or the component that an attribute leads to. */
const ownerBehind = (model: Model, definition: AttributeDefinition): Owner | undefined =>
  definition.type === 'component'
    ? model.components.find(({ uid }) => uid === definition.component)
    : model.types.find(({ uid }) => uid === targetOf(definition) && uid.startsWith('api::'))

/** The attributes of the entry, and those of the entries and the components that they lead to. */
export function filterFields(type: Owner, model: Model, step: string): readonly FilterField[] {
  const fieldsOf = (of: Owner, prefix: string, before: string): readonly FilterField[] =>
    Object.entries(of.attributes)
      .filter(([name, definition]) => isOffered(name, definition))
      .map(([name, definition]) => ({
        path: `${prefix}${name}`,
        label: `${before}${lookOf(model, of.uid, name).label}`,
        definition,
      }))
  const behind = Object.entries(type.attributes).flatMap(([name, definition]): readonly FilterField[] => {
    const owner = isOffered(name, definition) ? ownerBehind(model, definition) : undefined
    if (!owner) return []
    const main = `${name}.${mainFieldOf(owner)}`
    return fieldsOf(owner, `${name}.`, `${lookOf(model, type.uid, name).label}${step}`).toSorted(
      (one, other) => Number(other.path === main) - Number(one.path === main),
    )
  })
  return [...fieldsOf(type, '', ''), ...behind]
}

/** The words of a path and its values. An attribute that the person may not read has its name. */
export function wordsFor(type: Owner, model: Model, text: Texts) {
  const at = (
    path: readonly string[],
  ): { readonly label: string; readonly definition?: AttributeDefinition } => {
    let owner: Owner | undefined = type
    for (const name of path.slice(0, -1)) {
      const definition: AttributeDefinition | undefined = owner?.attributes[name]
      owner = definition && ownerBehind(model, definition)
    }
    const name = path.at(-1) ?? ''
    const definition = owner?.attributes[name]
    return {
      label: owner ? lookOf(model, owner.uid, name).label : inWords(name),
      ...(definition && { definition }),
    }
  }
  return {
    words: text.filterWords,
    label: (path: readonly string[]) => at(path).label,
    value: (path: readonly string[], value: string) => {
      const { definition } = at(path)
      if (definition?.type === 'boolean') return value === 'true' ? text.yes : text.no
      return definition?.type === 'enumeration' ? inWords(value) : `“${value}”`
    },
  }
}

/** The conditions that hold together, each of which is shown by itself. */
export const partsOf = (condition: Condition | undefined): readonly Condition[] =>
  condition === undefined ? [] : condition.kind === 'all' ? condition.conditions : [condition]

/** All of some conditions; `undefined` without any. */
export const allOf = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.length > 1 ? { kind: 'all', conditions } : conditions[0]

/** One more way to meet a condition. */
export const either = (condition: Condition, other: Condition): Condition => ({
  kind: 'any',
  conditions: [...(condition.kind === 'any' ? condition.conditions : [condition]), other],
})
