/** The fields that a filter of a list can have, and their words. */
import { type Condition, operatorsFor } from '../../filters/index.ts'
import { lookOf, mainFieldOf } from '../model/layout.ts'
import { type AttributeDefinition, inWords, type LaidOut, type Model, targetOf } from '../model/model.ts'
import { momentOf, type Texts, within } from '../text/index.ts'
import { isMoment } from '../values/dates.ts'

export interface FilterField {
  /** `title`, or through relations and components `author.name`, `seo.social.title`. */
  readonly path: string
  readonly label: string
  readonly definition: AttributeDefinition
}

type Owner = LaidOut & { readonly uid: string }

/** The entry, the related entry or the part that conditions are about. */
export interface Ground {
  readonly owner: Owner
  /** The uid of the content-type whose rights apply; for a part, that of its entry. */
  readonly uid: string
  /** The path from that content-type to a part, `seo.`; empty for an entry. */
  readonly within: string
}

/** A related entry, or a part, that a group of conditions can be about. */
export interface FilterPlace {
  readonly path: string
  readonly label: string
  readonly ground: Ground
}

export interface FilterScope {
  readonly fields: readonly FilterField[]
  readonly places: readonly FilterPlace[]
}

/** Relations and parts on the way to a field that is offered; a group leads further. */
const mostSteps = 3

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

export const groundOf = (owner: Owner): Ground => ({ owner, uid: owner.uid, within: '' })

interface Way {
  readonly path: string
  readonly label: string
  readonly steps: number
  /** Whether a relation is on the way: fields behind a second one are left to a group. */
  readonly isRelated: boolean
}

/**
 * The fields of an entry or a part, with those of the entries and parts that it leads to.
 *
 * @param may Whether the person may read an attribute of a part, by its way from the content-type.
 */
export function filterScope(
  ground: Ground,
  model: Model,
  step: string,
  may: (uid: string, path: string) => boolean,
): FilterScope {
  const fields: FilterField[] = []
  const places: FilterPlace[] = []
  const visit = ({ owner, uid, within }: Ground, way: Way): void => {
    const main = mainFieldOf(owner)
    // Every entry has a number; a part has none that lists show.
    const all = { ...owner.attributes, ...(within === '' && { id: { type: 'integer' } }) }
    const offered = Object.entries(all)
      .filter(
        ([name, definition]) => isOffered(name, definition) && (within === '' || may(uid, within + name)),
      )
      .map(([name, definition]) => ({
        name,
        path: `${way.path}${name}`,
        label: `${way.label}${lookOf(model, owner.uid, name).label}`,
        definition,
      }))
    const isMain = ({ name }: { readonly name: string }) => Number(way.steps > 0 && name === main)
    fields.push(...offered.toSorted((one, other) => isMain(other) - isMain(one)))
    for (const { name, path, label, definition } of offered) {
      const behind = ownerBehind(model, definition)
      const isRelation = definition.type !== 'component'
      if (!behind || way.steps === mostSteps || (isRelation && way.isRelated)) continue
      const next: Ground = isRelation ? groundOf(behind) : { owner: behind, uid, within: `${within}${name}.` }
      places.push({ path, label, ground: next })
      const further = { path: `${path}.`, label: `${label}${step}`, steps: way.steps + 1 }
      visit(next, { ...further, isRelated: way.isRelated || isRelation })
    }
  }
  visit(ground, { path: '', label: '', steps: 0, isRelated: false })
  return { fields, places }
}

/** The words of a path and its values. An attribute that the person may not read has its name. */
export function wordsFor({ owner: type }: Ground, model: Model, text: Texts) {
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
    label: (path: readonly string[]) => within(at(path).label, text),
    value: (path: readonly string[], value: string) => {
      const { definition } = at(path)
      if (definition?.type === 'boolean') return value === 'true' ? text.yes : text.no
      if (definition?.type === 'enumeration') return within(inWords(value), text)
      // A moment within a minute has more digits than the words would have.
      const isWhole = definition?.type === 'datetime' && isMoment(value) && Date.parse(value) % 60_000 === 0
      return `“${within(isWhole ? momentOf(value, text) : value, text)}”`
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
