import { ApplicationError, MethodNotAllowedError, ValidationError } from '@octavo/core'
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
})
