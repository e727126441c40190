/** The types of the attributes, the input and the parameters of locales. `octavo types` files load them, and so does the client. */
import type { UidOf } from '@octavo/core'

declare module '@octavo/core' {
  interface AddedInput {
    /** The locale of a new entry; updates ignore it. Default: the default locale. */
    readonly locale?: string
  }
  interface AddedAttributes<D> {
    locale: D extends NotLocalized
      ? never
      : D extends Localizable
        ? { readonly type: 'string'; readonly required: true }
        : never
    localizations: D extends NotLocalized
      ? never
      : D extends Localizable
        ? { readonly type: 'relation'; readonly relation: 'oneToMany'; readonly target: UidOf<D> }
        : never
  }
  interface AddedParameters {
    /** A code, a list of codes, or `all`. Default: the default locale. */
    readonly locale?: string | readonly string[]
    /** Returns the default locale's entry where there is none in `locale`. */
    readonly fallback?: boolean
    readonly meta?: 'availableLocales' | readonly 'availableLocales'[]
  }
  interface AddedChildParameters {
    readonly locale?: string | readonly string[]
  }
}

/** The shape of a localized content-type. `boolean`, since a spread variable widens the literal `true`. */
interface Localizable {
  readonly pluginOptions: { readonly i18n: { readonly localized: boolean } }
}
interface NotLocalized {
  readonly pluginOptions: { readonly i18n: { readonly localized: false } }
}
