/** The attributes that a caller may write: without those that plugins leave out, and those of which a definition says `"writable": false`. */
import type { Attribute, ContentType, Model, MorphAttribute } from '../content-type/model.ts'
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
 * The event of a write with an input of its own, which lacks the values that only programs and plugins write. They are left out silently, as in
 * Strapi. The state of a request has its caller, or at least its id; a program's is empty, or unrestricted.
 */
export function withTakenInput(event: WriteEvent): WriteEvent {
  const { type, by, state, input } = event
  const closed = ofPrograms(type)
  const isOfProgram = by === 'plugin' || isUnrestricted(state) || Reflect.ownKeys(state).length === 0
  if (closed.size === 0 || isOfProgram) return { ...event, input: { ...input } }
  const taken = Object.entries(input).filter(([name]) => !closed.has(name))
  return { ...event, input: Object.fromEntries(taken) }
}
