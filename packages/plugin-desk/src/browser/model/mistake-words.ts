/** The sentences of the server about what is wrong, in words of the person. */
import { withoutPlace } from '../../form/index.ts'
import type { ApiError, Mistake } from '../requests/api.ts'
import { type Texts, within } from '../text/index.ts'
import { inWords } from './model.ts'

/** The sentences about values, which have no codes: their places are the names of their fields. */
const ofValues: readonly (readonly [RegExp, keyof Texts['mistakes']])[] = [
  [/^(?:(?:must be defined|may not be null)\.|is a required field)$/, 'missing'],
  [/^needs at least one entry\.$/, 'noEntry'],
  [/^must have at least (\d+) items\.$/, 'minItems'],
  [/^must have at most (\d+) items\.$/, 'maxItems'],
  [/^must be at least (\d+) characters$/, 'minLength'],
  [/^must be (?:a text of )?at most (\d+) characters$/, 'maxLength'],
  [/^must be a text of 1 to (\d+) characters$/, 'length'],
  [/^must be (?:a password of )?at most (\d+) bytes$/, 'maxBytes'],
  [/^must match (\/.*\/\w*)$/s, 'pattern'],
  [/^must be greater than or equal to (\S+)$/, 'min'],
  [/^must be less than or equal to (\S+)$/, 'max'],
  [/^must be one of the following values: (.*)$/s, 'oneOf'],
  [/^may only have the characters (.*)$/, 'characters'],
  [/^must be a valid email$/, 'email'],
  [/^must not have control or invisible characters$/, 'invisible'],
  [/^must be a code such as (\S+)$/, 'languageCode'],
  [/^must begin with https:\/\/ or http:\/\/, with at most (\d+) characters$/, 'webAddress'],
  [/^is no URL$/, 'noAddress'],
  [/^must have no password; use the header authorization$/, 'noPassword'],
  [/^must be a list of (?:events$|content-types)/, 'noChoice'],
  [/^must be sent again with the address of another server$/, 'headersAgain'],
  [/^must be in the future$/, 'future'],
  [/^This attribute must be unique$/, 'unique'],
  [/^must be a number$/, 'number'],
  [/^must be a whole number$/, 'whole'],
  [/^must be a whole number between (\S+) and (\S+)$/, 'wholeBetween'],
  [/^must be a number of at most (\d+) digits before the point$/, 'digitsBefore'],
  [/^must be text without NUL characters$/, 'nul'],
  [/^must be (?:a date that exists|a time as|an ISO 8601)/, 'time'],
]

/** A mistake in a value, without its place. A sentence that the desk does not know, as that of a plugin, stays as it is. */
export function mistakeWords(message: string, { mistakes }: Pick<Texts, 'mistakes'>): string {
  for (const [pattern, name] of ofValues) {
    const found = pattern.exec(message)
    if (!found) continue
    const words: string | ((...parts: string[]) => string) = mistakes[name]
    return typeof words === 'string' ? words : words(...found.slice(1))
  }
  return message
}

/** A mistake behind the name of what it is in. */
export const mistakeIn = (label: string, message: string, text: Texts): string =>
  `${within(label, text)} ${mistakeWords(message, text)}`

/** The words of the pages for what their forms send under these names. */
const ofForms = {
  ...{ email: 'email', firstname: 'firstname', lastname: 'lastname', language: 'languageOfDesk' },
  ...{ currentPassword: 'presentPassword', password: 'newPassword' },
  ...{ name: 'fileName', description: 'roleDescription', code: 'localeCode', expiresAt: 'tokenEnds' },
  ...{ url: 'webhookUrl', events: 'webhookEvents', types: 'webhookTypes', headers: 'webhookHeaders' },
} as const satisfies Readonly<Record<string, keyof Texts>>

const isOfForms = (name: string): name is keyof typeof ofForms => Object.hasOwn(ofForms, name)

/** The label of a field in a form of the desk itself. */
export const labelInForms = (name: string, text: Texts): string =>
  isOfForms(name) ? text[ofForms[name]] : inWords(name)

/** Mistakes as sentences. @param labelOf The name of an attribute in words. Default: made of the name. */
export const mistakesInWords = (
  mistakes: readonly Mistake[],
  text: Texts,
  labelOf: (name: string) => string = inWords,
): string =>
  mistakes
    .map((mistake) => {
      const message = withoutPlace(mistake)
      // A sentence that names no place is whole.
      const isWhole = message === mistake.message && mistakeWords(message, text) === message
      return isWhole || mistake.path.length === 0
        ? message
        : mistakeIn(placeIn(mistake.path, labelOf), message, text)
    })
    .join(' ')

/** `Sections 1 / Text` */
const placeIn = (path: readonly string[], labelOf: (name: string) => string): string =>
  path.reduce((words, part, i) => {
    if (/^\d+$/.test(part)) return `${words} ${Number(part) + 1}`
    return i === 0 ? labelOf(part) : `${words} / ${inWords(part)}`
  }, '')

/** Refusals by their codes, and by their sentences where others have the code as well. */
const ofRefusals: readonly (readonly [code: string, sentence: RegExp, keyof Texts['refusals']])[] = [
  ['desk/taken', /person with this address/, 'personTaken'],
  ['desk/taken', /role of this name/, 'roleTaken'],
  ['desk/taken', /^People have this role/, 'roleInUse'],
  ['desk/last-manager', /^/, 'lastManager'],
  ['desk/bad-link', /^/, 'badLink'],
  ['webhook/taken', /^/, 'webhookTaken'],
  ['webhook/testing', /^/, 'webhookTesting'],
  ['i18n/locale-taken', /^/, 'localeTaken'],
  ['i18n/locale-needed', /must be the default first/, 'localeIsDefault'],
  ['i18n/locale-needed', /^The configuration/, 'localeConfigured'],
  ['i18n/locale-needed', /^There are entries/, 'localeUsed'],
  ['i18n/unknown-locale', /^/, 'languageGone'],
  ['upload/broken-image', /^/, 'brokenPicture'],
  ['query/bad-value', /^filters/, 'badFilter'],
  ['query/bad-filter', /^/, 'badFilter'],
]

/** A refusal that has words of its own in the language of the person. */
export function refusalWords(
  { code, message }: ApiError,
  { refusals }: Pick<Texts, 'refusals'>,
): string | undefined {
  const found = ofRefusals.find(([of, sentence]) => of === code && sentence.test(message))
  return found && refusals[found[2]]
}
