import { accepts, type KeysOf } from '@octavo/core/internal'

export interface I18nOptions {
  /** Codes of locales that are created at start, in addition to the stored ones: `en`, `pt-BR`. Codes that are no languages are refused. Default `['en']`. */
  readonly locales?: readonly string[]
  /** The locale of entries and requests without one. Default: the first of `locales`. A data file may set another one. */
  readonly defaultLocale?: string
  /** The default of the parameter `fallback`: returns the default locale's entry where there is none in `locale`. Default false. */
  readonly fallbackLocale?: boolean
  /** Reads the locale from `Accept-Language` if the query has no `locale`. Default false. */
  readonly acceptLanguage?: boolean
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  locales: true,
  defaultLocale: accepts.text('en'),
  fallbackLocale: accepts.flag,
  acceptLanguage: accepts.flag,
} as const satisfies KeysOf<I18nOptions>
