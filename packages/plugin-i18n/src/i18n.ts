import { ConfigurationError, type Octavo, type Store } from '@octavo/core'
import { checkOptions } from '@octavo/core/internal'
import {
  type ActionDeclaration,
  type Channel,
  type ContentType,
  definePlugin,
  type Plugin,
  type PluginHost,
  type Registry,
  type WriteEvent,
} from '@octavo/core/plugin'
import type { Routes } from '@octavo/server'
import { localeType, localeUid, localizationsType, localizedParts, withLocales } from './content-type.ts'
import { describeLocales } from './describe.ts'
import { codeMistake } from './locale-code.ts'
import { addLocaleRoutes } from './locale-routes.ts'
import { Locales, localesSection } from './locales.ts'
import {
  differsFromSource,
  isFirst,
  isLocalization,
  localeChecks,
  localizationStatements,
  localizedInput,
  settle,
} from './localization.ts'
import { addLocalizationRoute, canBeLocalized } from './localize.ts'
import { marksWithoutEffect } from './marks.ts'
import { negotiate } from './negotiate.ts'
import { type I18nOptions, optionKeys } from './options.ts'
import { addReading } from './reading.ts'
import { carryOver, hasSiblings, readGroup, writesShared } from './shared.ts'

declare module '@octavo/core' {
  interface RequestState {
    /** The locale of reads without `locale`. Default: the default locale, or for requests that of `acceptLanguage`. */
    readonly locale?: string
  }
}

/**
 * Entries in several languages. Source: docs/contract/reading.md#locale and docs/contract/writing.md#locales.
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
      checkOptions(options, optionKeys, 'i18n')
      checkLocales(options)
      const locales = new Locales(options)
      const everything = host.unrestricted('people with the right to settings manage the locales')
      host.contentType(localeType)
      host.attributeType(localizationsType)
      const octavo = host.start(async (octavo) => {
        await locales.start(octavo, host.logger)
        return octavo
      })
      const changes = host.channel<null>(() => locales.read(octavo().store, octavo().registry))
      host.section('locales', localesSection(locales, octavo, changes))
      host.hook('definitions:extend', (definitions) => {
        for (const sentence of marksWithoutEffect(definitions)) host.logger.warn({}, sentence)
        return withLocales(definitions, () => locales.default)
      })

      addReading(host, locales, options)

      const isLocalized = (type: ContentType): boolean => localizedParts(type) !== undefined
      host.hook('entry:input', (input, event) => localizedInput(input, event, locales), {
        types: isLocalized,
        database: false,
      })
      host.hook('entry:checks', localeChecks, {
        types: isLocalized,
        // Creates with a check are written one by one.
        when: (event) => isLocalization(event) || isFirst(event),
      })
      host.hook('entry:statements', localizationStatements, { types: isLocalized, when: isLocalization })
      host.hook('entry:afterCreate', settle, { types: isLocalized, when: differsFromSource })
      host.hook('entry:afterUpdate', (event) => carryOver(event), {
        types: isLocalized,
        when: writesShared,
        if: hasSiblings,
        sends: (event) => readGroup(event, octavo().registry),
      })
      followLocales(host, changes)
      host.actions(localeActions)
      host.hook('octavo:start', ({ store, registry }) =>
        fillLocale(store, [...registry.contentTypes.values()], locales.default),
      )
      host.hook('content-type:added', (type, { store }) => fillLocale(store, [type], locales.default))
      host.hook('server:routes', (routes) => {
        routes.forEachType((type) => addLocalizationRoute(octavo, type, routes))
        addListRoute(octavo, routes)
      })
      host.hook('server:manage', (routes) => addLocaleRoutes(routes, { octavo, locales, everything }))
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

/** @throws ConfigurationError for a list of another form, and for a code that is no language: it would become a locale that no request asks for */
function checkLocales({ locales, defaultLocale }: I18nOptions): void {
  // A text is a list of letters, each of which would become a locale.
  if (locales !== undefined && !Array.isArray(locales))
    throw new ConfigurationError(
      `i18n: locales must be a list of codes, such as ["en", "fr"], not ${JSON.stringify(locales)}`,
    )
  const codes = new Map<string, unknown>((locales ?? []).map((code, i) => [`locales[${i}]`, code]))
  if (defaultLocale !== undefined) codes.set('defaultLocale', defaultLocale)
  for (const [place, code] of codes) {
    const mistake = codeMistake(code)
    if (mistake) throw new ConfigurationError(`i18n: ${place}: ${JSON.stringify(code)} ${mistake}`)
  }
}

/** The hooks of writes of locales as entries, by programs and by the routes of the desk. */
function followLocales(host: PluginHost, changes: Channel<null>): void {
  const announce = ({ entries }: WriteEvent): Promise<void> => changes.publish(null, entries)
  for (const hook of ['entry:afterCreate', 'entry:afterUpdate', 'entry:afterDelete'] as const)
    host.hook(hook, announce, { types: [localeUid] })
  // One change at a time: of two new defaults, the later one ends the earlier one.
  const wait = ({ entries }: WriteEvent): Promise<void> => entries.lock('octavo locales')
  for (const hook of ['entry:beforeCreate', 'entry:beforeUpdate', 'entry:beforeDelete'] as const)
    host.hook(hook, wait, { types: [localeUid] })
}

/** Sets the default locale of entries that existed before the plugin. A table may have millions of them, so the time limits of requests are lifted. */
async function fillLocale(store: Store, types: readonly ContentType[], locale: string): Promise<void> {
  const localized = types.filter((type) => localizedParts(type))
  if (localized.length === 0) return
  await store.transaction(async (tx) => {
    await tx.liftTimeLimits()
    for (const type of localized) await tx.rows(type).update({ where: { locale: null }, set: { locale } })
  })
}

const listAction = 'plugin::i18n.locales.listLocales'

const localeActions = (registry: Registry): readonly ActionDeclaration[] => [
  { name: listAction, entries: { type: localeUid, as: 'find' } },
  ...[...registry.contentTypes.values()].filter(canBeLocalized).map(
    ({ uid }): ActionDeclaration => ({
      name: `${uid}.createLocalization`,
      entries: { type: uid, as: 'createLocalization' },
      enforces: ['where'],
    }),
  ),
]

/** More than there are languages with their regions: the list has no pages, so it has all, whatever `rest.maxLimit` is. */
const mostLocales = 10_000

/** `GET /i18n/locales`: a bare list. */
function addListRoute(octavo: () => Octavo, routes: Routes): void {
  routes.add({
    method: 'GET',
    path: '/i18n/locales',
    action: listAction,
    handler: async (context) => {
      const { registry } = octavo()
      const type = registry.contentType(localeUid)
      const { data } = await octavo().read({
        type,
        action: 'listLocales',
        kind: 'list',
        query: 'pagination[limit]=-1',
        maxLimit: mostLocales,
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
