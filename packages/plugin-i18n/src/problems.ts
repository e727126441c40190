import { ApplicationError, MethodNotAllowedError, NotFoundError, ValidationError } from '@octavo/core'
import { asGiven, inSummary } from '@octavo/core/internal'
import { defineProblems } from '@octavo/core/plugin'

/** The problems of locales. */
export const problem = defineProblems({
  'i18n/unknown-locale': {
    error: ApplicationError,
    message: (d: { message?: string }) => d.message ?? "This locale doesn't exist",
    when: 'a locale that does not exist',
  },
  'i18n/no-locale': {
    error: ApplicationError,
    message: 'locale is missing',
    when: 'a localization without a locale',
  },
  'i18n/locale-used': {
    error: ApplicationError,
    message: 'locale is already used',
    when: 'an entry has a localization in that locale already',
  },
  'i18n/already-exists': {
    error: ValidationError,
    message: (d: { type: string }) =>
      `The ${d.type} exists in another locale; POST /${d.type}/localizations adds one.`,
    when: 'a single type exists in another locale',
  },
  'i18n/not-localized': {
    error: MethodNotAllowedError,
    message: (d: { type: string }) => `${d.type} has no locales.`,
    when: 'a localization of a type that has no locales',
  },
  'i18n/no-such-locale': { error: NotFoundError, message: 'Not Found', when: 'no locale of this id' },
  'i18n/locale-taken': {
    error: ApplicationError,
    message: 'There is already a locale of this code',
    when: 'a new locale with the code of another one',
  },
  'i18n/locale-needed': {
    error: ApplicationError,
    message: asGiven,
    when: 'a delete of the default locale, of one in the configuration, or of one with entries',
  },
  'i18n/invalid': {
    error: ValidationError,
    message: inSummary,
    when: 'a locale with wrong values; all mistakes at once',
  },
})
