import { type ContentType, type EntryInput, isUnrestricted, type WriteEvent } from '@octavo/core/plugin'

/**
 * Removes unique attributes that callers cannot read from their input: a refusal would reveal that another entry has the
 * value (S-27). They are ignored like unknown names; programs and plugins can write them.
 */
export function withoutHiddenUnique(input: EntryInput, { type, by, state }: WriteEvent): EntryInput {
  if (by === 'plugin' || isUnrestricted(state)) return input
  return Object.keys(input).some((name) => isHiddenUnique(type, name))
    ? Object.fromEntries(Object.entries(input).filter(([name]) => !isHiddenUnique(type, name)))
    : input
}

export function isHiddenUnique({ attributes }: ContentType, name: string): boolean {
  const attribute = attributes.get(name)
  return attribute?.kind === 'scalar' && attribute.private && attribute.definition.unique === true
}
