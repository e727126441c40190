import { type Condition, definePlugin, InvalidValue, type Octavo, type Plugin } from '@octavo/core'
import type { Routes } from '@octavo/server'
import { localeType, localeUid, localizationsType, localizedParts, withLocales } from './content-type.ts'
import { Locales, localesSection } from './locales.ts'
import { addLocalizationRoutes, joinGroup, localizedInput } from './localize.ts'
import type { I18nOptions } from './options.ts'
import { carryOver } from './shared.ts'

/** Lists and single types are answered in a locale; an entry that is asked by its id is answered in its own. */
const byLocale: ReadonlySet<string> = new Set(['find', 'count'])

/**
 * Entries in several languages. Source: spec, "Query parameter: locale"; BEHAVIOUR, "Locales".
 *
 *     i18n({ locales: ['en', 'fr'], defaultLocale: 'en' })
 */
export const i18n = (options: I18nOptions = {}): Plugin =>
  definePlugin({
    name: 'i18n',
    setup(host) {
      const locales = new Locales(options)
      host.contentType(localeType)
      host.attributeType(localizationsType)
      host.section('locales', localesSection(locales))
      host.hook('definitions:extend', withLocales)

      const asked = host.param<readonly string[] | undefined>('locale', {
        read: readCodes,
        default: undefined,
        scope: 'own',
      })
      const fallback = host.param<boolean>('fallback', {
        read: readYesNo,
        default: options.fallbackLocale ?? false,
      })
      const meta = host.param<readonly string[]>('meta', { read: readNames, default: [] })

      host.hook('query:node', (node, context): Condition | undefined => {
        const parts = localizedParts(node.model)
        if (!parts || (node.use !== 'root' && node.use !== 'populate')) return undefined
        const isSingle = node.model.kind === 'singleType'
        if (
          node.use === 'root' &&
          !byLocale.has(context.action) &&
          !(isSingle && context.action !== 'create')
        )
          return undefined
        const codes = node.param(asked)
        if (codes === undefined && node.use === 'populate') return undefined
        const wanted = codes ?? [locales.default]
        if (wanted.includes('all')) return undefined
        const inLocale = (values: readonly string[]): Condition => ({
          kind: 'compare',
          attribute: parts.locale,
          operator: '$in',
          operands: [{ kind: 'value', value: values }],
          asText: false,
        })
        if (node.use !== 'root' || codes === undefined || !node.param(fallback)) return inLocale(wanted)
        // The default locale's entry stands in where no sibling is in a locale that was asked.
        const sibling: Condition = {
          kind: 'related',
          attribute: parts.localizations,
          target: node.model,
          scope: undefined,
          child: inLocale(wanted),
          orNone: false,
        }
        const standIn: Condition = {
          kind: 'and',
          children: [inLocale([locales.default]), { kind: 'not', child: sibling }],
        }
        return { kind: 'or', children: [inLocale(wanted), standIn] }
      })
      host.hook('query:meta', (node, context) => {
        const parts = localizedParts(node.model)
        const isWrite = ['create', 'update', 'delete'].includes(context.action)
        if (!parts || !(isWrite || node.param(meta).includes('availableLocales'))) return undefined
        return [{ name: 'availableLocales', relation: parts.localizations, attribute: parts.locale }]
      })

      host.hook('entry:input', (input, event) => localizedInput(input, event, locales))
      host.hook('entry:afterCreate', async (event) => {
        await joinGroup(event)
        await carryOver(event)
      })
      host.hook('entry:afterUpdate', carryOver)

      let running: Octavo | undefined
      host.hook('octavo:start', async (octavo) => {
        running = octavo
        await locales.start(octavo.store)
        await fillLocales(octavo, locales)
      })
      host.hook('entry:committed', async ({ type }) => {
        if (type.uid === localeUid && running) await locales.read(running.store)
      })
      host.hook('server:routes', (routes) => {
        if (!running) return
        addLocalizationRoutes(running, routes)
        addListRoute(running, routes)
      })
    },
  })

/** Entries that were there before the plugin are in the default locale. */
async function fillLocales({ registry, store }: Octavo, locales: Locales): Promise<void> {
  for (const type of registry.contentTypes.values()) {
    const parts = localizedParts(type)
    // Both names are the registry's, which lets through nothing that would need more than quotes.
    if (parts)
      await store.query(
        `update "${type.table}" set "${parts.locale.column}" = $1 where "${parts.locale.column}" is null`,
        [locales.default],
      )
  }
}

/** `GET /i18n/locales`: a bare list. */
function addListRoute(octavo: Octavo, routes: Routes): void {
  routes.add({
    method: 'GET',
    path: '/i18n/locales',
    action: 'plugin::i18n.locales.listLocales',
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

/** `fr`, `all`, or a list of codes. One that does not exist finds nothing, and is no error. */
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

/** `availableLocales`; names of others are theirs, and mean nothing here. */
function readNames(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value : String(value).split(',')
  return names.map(String)
}
