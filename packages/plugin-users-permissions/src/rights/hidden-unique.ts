import { type EntryInput, isUnrestricted, type WriteEvent } from '@octavo/core'

/**
 * An input of a caller without unique attributes that no caller reads: whether a value is refused would tell that another
 * entry has it (S-27). They are ignored, as unknown names are; programs and plugins write them.
 */
export function withoutHiddenUnique(input: EntryInput, { type, by, state }: WriteEvent): EntryInput {
  if (by === 'plugin' || isUnrestricted(state)) return input
  const isHidden = (name: string): boolean => {
    const attribute = type.attributes.get(name)
    return attribute?.kind === 'scalar' && attribute.private && attribute.definition.unique === true
  }
  return Object.keys(input).some(isHidden)
    ? Object.fromEntries(Object.entries(input).filter(([name]) => !isHidden(name)))
    : input
}
