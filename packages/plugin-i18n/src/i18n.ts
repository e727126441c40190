import {
  type ActionDeclaration,
  allOf,
  anyOf,
  type Condition,
  type ContentType,
  compare,
  definePlugin,
  InvalidValue,
  isWriteAction,
  type NodeView,
  not,
  type Octavo,
  type Plugin,
  type Queryable,
  type RuntimeValue,
  refuseUnknownKeys,
  related,
  type UidOf,
} from '@octavo/core'
import type { Routes } from '@octavo/server'
import {
  type Localized,
  localeType,
  localeUid,
  localizationsType,
  localizedParts,
  withLocales,
} from './content-type.ts'
import { describeLocales } from './describe.ts'
import { Locales, localesSection } from './locales.ts'
import { addLocalizationRoute, canBeLocalized, joinGroup, localizedInput } from './localize.ts'
import { negotiate } from './negotiate.ts'
import { type I18nOptions, optionKeys } from './options.ts'
import { carryOver } from './shared.ts'

declare module '@octavo/core' {
  interface RequestState {
    /** The locale of reads without `locale`. Default: the default locale, or for requests that of `acceptLanguage`. */
    readonly locale?: string
  }
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

/**
 * Entries in several languages. Source: spec, "Query parameter: locale"; BEHAVIOUR, "Locales".
 *
 *     i18n({ locales: ['en', 'fr'], defaultLocale: 'en' })
 */
export const i18n = (options: I18nOptions = {}): Plugin =>
  definePlugin({
    name: 'i18n',
    guards: 'entries of all locales become visible together, and each locale counts as an entry of its own',
    // Permissions restrict the client's input, not the values that this plugin adds.
    after: ['users-permissions'],
    setup(host) {
      refuseUnknownKeys(options, optionKeys, 'i18n')
      const locales = new Locales(options)
      host.contentType(localeType)
      host.attributeType(localizationsType)
      const octavo = host.start(async (octavo) => {
        await locales.start(octavo, host.logger)
        return octavo
      })
      const changes = host.channel<null>(() => locales.read(octavo().store, octavo().registry))
      host.section('locales', localesSection(locales, octavo, changes))
      host.hook('definitions:extend', (definitions) => withLocales(definitions, () => locales.default))

      const localeParam = host.param<readonly string[] | undefined>('locale', {
        read: readCodes,
        default: undefined,
        scope: 'own',
      })
      const fallback = host.param<boolean>('fallback', {
        read: readYesNo,
        default: options.fallbackLocale ?? false,
      })
      const meta = host.param<readonly string[]>('meta', { read: readNames, default: [] })
      // Runtime values, so that a cached statement is valid for all languages, and after a change of the default locale.
      const unasked = host.runtimeValue('i18n.unasked', ({ locale }) =>
        locale !== undefined && locales.has(locale) ? locale : locales.default,
      )
      const byDefault = host.runtimeValue('i18n.default', () => locales.default)

      const isDefault = (parts: Localized): Condition => is(parts, byDefault)
      const isAsked = (parts: Localized, codes: readonly string[] | undefined): Condition =>
        codes ? isAmong(parts, codes) : is(parts, unasked)

      host.hook('query:node', (node, { byId }) => {
        const parts = localizedParts(node.model)
        const codes = node.param(localeParam)
        if (!parts || codes?.includes('all')) return undefined
        if (node.use === 'populate') return codes && isAmong(parts, codes)
        // A read by id returns the entry in its own locale; siblings are read in all locales.
        if (node.use !== 'root' || byId || node.via) return undefined
        const wanted = isAsked(parts, codes)
        if (!node.param(fallback)) return wanted
        return orElse(wanted, isDefault(parts), parts, node)
      })
      host.hook(
        'query:single',
        (node) => localizedParts(node.model) && node.param(localeParam)?.includes('all'),
      )
      host.hook('query:meta', (node, { action }) => {
        const parts = localizedParts(node.model)
        // The answer of a write always has the entry's localizations.
        if (!parts || !(isWriteAction(action) || node.param(meta).includes('availableLocales')))
          return undefined
        return [{ name: 'availableLocales', relation: parts.localizations, attribute: parts.locale }]
      })

      host.hook('entry:input', (input, event) => localizedInput(input, event, locales))
      host.hook('entry:afterCreate', async (event) => {
        await carryOver(event, await joinGroup(event))
      })
      host.hook('entry:afterUpdate', (event) => carryOver(event))

      // Programs may write the locales as entries.
      for (const moment of ['entry:afterCreate', 'entry:afterUpdate', 'entry:afterDelete'] as const) {
        host.hook(moment, async ({ type, entries }) => {
          if (type.uid === localeUid) await changes.publish(null, entries)
        })
      }

      host.actions((registry) => [
        { name: listAction, entries: { type: localeUid, as: 'find' } },
        ...[...registry.contentTypes.values()].filter(canBeLocalized).map(
          ({ uid }): ActionDeclaration => ({
            name: `${uid}.createLocalization`,
            entries: { type: uid, as: 'createLocalization' },
            enforces: ['where'],
          }),
        ),
      ])
      host.forEachType((type, { store }) => fillLocale(store, type, locales.default))
      host.hook('server:routes', (routes) => {
        routes.forEachType((type) => addLocalizationRoute(octavo(), type, routes))
        addListRoute(octavo(), routes)
      })
      host.hook('server:describe', describeLocales)
      if (options.acceptLanguage) {
        host.hook('server:state', (context) => {
          context.vary('Accept-Language')
          const locale = negotiate(context.get('Accept-Language'), locales.defaultFirst)
          return locale === undefined ? undefined : { locale }
        })
      }
    },
  })

const is = ({ locale }: Localized, code: RuntimeValue): Condition => compare(locale, '$eq', code)

const isAmong = ({ locale }: Localized, codes: readonly string[]): Condition => compare(locale, '$in', codes)

/** Entries in `locale`, and entries in the fallback locale without a readable sibling in `locale`. */
function orElse(
  wanted: Condition,
  standIn: Condition,
  { localizations }: Localized,
  node: NodeView,
): Condition {
  const sibling = related(localizations, node.model, wanted, node.scopeOf(localizations))
  return anyOf([wanted, allOf([standIn, not(sibling)]) ?? standIn])
}

/** Sets the default locale of entries that existed before the plugin. */
async function fillLocale(db: Queryable, type: ContentType, locale: string): Promise<void> {
  if (localizedParts(type)) await db.rows(type).update({ where: { locale: null }, set: { locale } })
}

const listAction = 'plugin::i18n.locales.listLocales'

/** `GET /i18n/locales`: a bare list. */
function addListRoute(octavo: Octavo, routes: Routes): void {
  routes.add({
    method: 'GET',
    path: '/i18n/locales',
    action: listAction,
    handler: async (context) => {
      const type = octavo.registry.contentType(localeUid)
      const { data } = await octavo.read({
        type,
        action: 'listLocales',
        kind: 'list',
        query: 'pagination[limit]=-1',
        state: context.state.octavo ?? {},
      })
      const entries = JSON.parse(data ?? '[]') as readonly {
        readonly id: number
        readonly attributes: object
      }[]
      context.body = entries.map(({ id, attributes }) => ({ id, ...attributes }))
    },
  })
}

/** `fr`, `all`, or a list of codes. An unknown locale matches nothing and is no error. */
function readCodes(value: unknown): readonly string[] {
  const codes = Array.isArray(value) ? value : [value]
  if (codes.every((code) => typeof code === 'string')) return codes
  throw new InvalidValue('a locale, a list of locales, or all')
}

function readYesNo(value: unknown): boolean {
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw new InvalidValue('true or false')
}

/** `availableLocales`, alone or in a list; other names are ignored. */
function readNames(value: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (names.every((name) => typeof name === 'string')) return names.flatMap((name) => name.split(','))
  throw new InvalidValue('a name or a list of names')
}
