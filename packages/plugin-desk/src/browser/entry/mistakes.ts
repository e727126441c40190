/** The mistakes that keep an entry from being saved, at their fields. */
import type { FieldError } from '../../form/index.ts'
import type { OpenEntry, SaveOutcome } from '../../wire/index.ts'
import { mistakesInWords } from '../model/mistake-words.ts'
import { type ContentType, isShared } from '../model/model.ts'
import type { Texts } from '../text/index.ts'

interface Entry {
  readonly type: ContentType
  readonly opened: OpenEntry
  readonly isTranslation: boolean
}

/** The mistakes that are found without the server. */
export function mistakesIn(
  { type, opened: { form }, isTranslation }: Entry,
  draft: boolean,
  isNew: boolean,
  text: Texts,
): readonly FieldError[] {
  const mistakes = form
    .mistakes({ draft, unfinished: text.invalidJsonIs })
    .filter(({ key }) => !(isNew && isTranslation && isShared(type, key.split('/')[0] ?? '')))
  form.setErrors(mistakes)
  return mistakes
}

/** The words of Strapi about entries and files that are not there. They name a content-type, which says nothing to the person. */
const ofGone = /^\d+ relation\(s\) of type \S+ associated with this entity do not exist$/

/** The mistakes of a refusal at their fields, in words of the person. */
export function errorsOf(
  { error, errors }: SaveOutcome & { kind: 'refused' },
  text: Texts,
): readonly FieldError[] {
  if (error.details?.code === 'desk/field')
    return errors.map(({ key }) => ({ key, message: text.readOnlyIs }))
  const mistakes = error.details?.errors ?? []
  return errors.map(({ key, message }, i) => {
    if (ofGone.test(message)) return { key, message: text.goneIs }
    const [mistake] = key === '' ? mistakes.slice(i, i + 1) : []
    return { key, message: mistake ? mistakesInWords([mistake], text) : message }
  })
}
