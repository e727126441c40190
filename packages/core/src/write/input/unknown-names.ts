import type { Model } from '../../content-type/model.ts'
import { didYouMean } from '../../content-type/nearest.ts'
import type { EntryInput } from '../../content-type/types/entry-input.ts'
import type { HookRunner } from '../../hooks/hook-runner.ts'
import { mayName } from '../../hooks/writable.ts'
import type { WriteEvent } from '../../plugin/write-event.ts'
import { ignored, reportedNames, type UnknownNames } from '../../unknown-names.ts'
import { type InputMistakes, inWords } from './mistakes.ts'
import { ignoredNames } from './validate.ts'
import type { BodyPath } from './write-plan.ts'

export interface UnknownNamesParts {
  readonly hooks: HookRunner
  readonly unknownNames: UnknownNames
  /** Logs a warning about a request, the first time. */
  readonly warn: (message: string) => void
}

/**
 * Looks for names in the parts of a caller's input that no attribute has: the first ones are mistakes, or logged. Names that answers
 * have, such as `id`, are known. `undefined`: they are not reported.
 */
export function unknownNamesOf(
  event: WriteEvent,
  { hooks, unknownNames, warn }: UnknownNamesParts,
  mistakes: InputMistakes,
): ((model: Model, input: EntryInput, at: BodyPath) => void) | undefined {
  if (unknownNames === 'ignore' || event.by !== 'caller') return undefined
  let found = 0
  return (model, input, at) => {
    for (const [name, value] of Object.entries(input)) {
      if (value === undefined || isKnown(name, model) || ++found > reportedNames) continue
      const all = [...model.attributes.values(), ...model.morphs.values()]
      const named = all.filter((attribute) => mayName(attribute, model, event, hooks))
      const hints = named.map((attribute) => attribute.name).filter((hint) => !ignoredNames.has(hint))
      const type = model.kind === 'component' ? model.uid : model.singularName
      const message = `{at} is no attribute of ${type}${didYouMean(name, hints, '.')}`
      const here = [...at, name]
      if (unknownNames === 'refuse') mistakes.addUnknown(here, message)
      else warn(`${event.type.uid}.${event.action}: ${ignored(message.replace('{at}', () => inWords(here)))}`)
    }
  }
}

const isKnown = (name: string, { kind, attributes, morphs, uses }: Model): boolean =>
  attributes.has(name) ||
  ignoredNames.has(name) ||
  morphs.has(name) ||
  uses.has(name) ||
  (kind === 'component' && name === '__component')
