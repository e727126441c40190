/** The attributes that a caller may write: without those that plugins leave out, and those of which a definition says `"writable": false`. */
import type { Attribute, ContentType, Model, MorphAttribute } from '../content-type/model.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'
import { onceFor } from '../once-for.ts'
import { isUnrestricted } from '../plugin/unrestricted.ts'
import type { WriteEvent } from '../plugin/write-event.ts'
import type { HookRunner } from './hook-runner.ts'

type AnyAttribute = Attribute | MorphAttribute

const isOpen = ({ definition }: AnyAttribute): boolean => definition.writable !== false

/** The names of the attributes that only programs and plugins write. */
const ofPrograms = onceFor(({ attributes, morphs }: ContentType): ReadonlySet<string> => {
  const closed = [...attributes.values(), ...morphs.values()].filter((attribute) => !isOpen(attribute))
  return new Set(closed.map(({ name }) => name))
})

/** Whether a body of a caller may have an attribute. */
export const isWritable = (
  attribute: AnyAttribute,
  event: Pick<WriteEvent, 'type' | 'action' | 'state'>,
  hooks: HookRunner,
): boolean => isOpen(attribute) && !hooks.collect('entry:writable', attribute, event).includes(false)

/** Whether a message about a body may name an attribute of the entry or of a component: neither a private one, nor one that the caller may not write. */
export const mayName = (
  attribute: AnyAttribute,
  model: Model,
  event: WriteEvent,
  hooks: HookRunner,
): boolean =>
  !('private' in attribute && attribute.private) &&
  (model !== event.type || isWritable(attribute, event, hooks))

/**
 * Names in the input of a caller that no attribute has, and that hooks and checks get, at most. A body has room for 80,000 of them, and each
 * step of a write goes through them.
 */
const mostUnknown = 1_000

/**
 * The event of a write with an input of its own, which lacks the values that only programs and plugins write. They are left out silently, as in
 * Strapi, and so are names that no attribute has, after the first thousand. The state of a request has its caller, or at least its id; a program's
 * is empty, or unrestricted.
 */
export function withTakenInput(event: WriteEvent): WriteEvent {
  const { type, by, state, input } = event
  const isOfProgram = by === 'plugin' || isUnrestricted(state) || Reflect.ownKeys(state).length === 0
  return { ...event, input: isOfProgram ? { ...input } : takenOf(input, type) }
}

function takenOf(input: EntryInput, type: ContentType): EntryInput {
  const closed = ofPrograms(type)
  let unknown = 0
  const taken = Object.entries(input).filter(([name]) => {
    const isKnown = type.attributes.has(name) || type.morphs.has(name)
    return isKnown ? !closed.has(name) : ++unknown <= mostUnknown
  })
  return Object.fromEntries(taken)
}
