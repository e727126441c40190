export interface I18nOptions {
  /** Codes of locales that exist from the start, besides those in the database. Default `['en']`. */
  readonly locales?: readonly string[]
  /** The locale of what names none. Default: the first of `locales`. A data file may say another one. */
  readonly defaultLocale?: string
  /** Answers with the default locale's entry where there is none in the locale that was asked, as `fallback=true` does. Default false. */
  readonly fallbackLocale?: boolean
  /** Takes the locale from `Accept-Language` where the query names none. Default false. */
  readonly acceptLanguage?: boolean
}
