/** The locales of reads: the parameters `locale`, `fallback` and `meta`, and the conditions that they add. */
import { isWriteAction } from '@octavo/core/internal'
import {
  allOf,
  anyOf,
  type Condition,
  compare,
  InvalidValue,
  type NodeView,
  not,
  type PluginHost,
  type RuntimeValue,
  related,
} from '@octavo/core/plugin'
import { type Localized, localizedParts } from './content-type.ts'
import type { Locales } from './locales.ts'
import type { I18nOptions } from './options.ts'

/** Declares the parameters and restricts reads to the entries of the requested locales. */
export function addReading(
  host: PluginHost,
  locales: Locales,
  { fallbackLocale = false }: I18nOptions,
): void {
  const localeParam = host.param<readonly string[] | undefined>('locale', {
    read: readCodes,
    default: undefined,
    scope: 'own',
    unknown: (codes) => firstUnknown(codes ?? [], [...locales.defaultFirst, 'all']),
  })
  const fallback = host.param<boolean>('fallback', { read: readYesNo, default: fallbackLocale })
  const meta = host.param<readonly string[]>('meta', {
    read: readNames,
    default: [],
    unknown: (names) => firstUnknown(names, ['availableLocales']),
  })
  // Runtime values, so that a cached statement is valid for all languages, and after a change of the default locale.
  const localeOfCaller = host.runtimeValue('i18n.default-of-caller', ({ locale }) =>
    locale !== undefined && locales.has(locale) ? locale : locales.default,
  )
  const defaultLocale = host.runtimeValue('i18n.default', () => locales.default)

  host.hook('query:node', (node, { byId }) => {
    const parts = localizedParts(node.model)
    const codes = node.param(localeParam)
    if (!parts || codes?.includes('all')) return undefined
    if (node.use === 'populate') return codes && isAmong(parts, codes)
    // A read by id returns the entry in its own locale; siblings are read in all locales.
    if (node.use !== 'root' || byId || node.via) return undefined
    const requested = codes ? isAmong(parts, codes) : is(parts, localeOfCaller)
    if (!node.param(fallback)) return requested
    return orElse(requested, is(parts, defaultLocale), parts, node)
  })
  host.hook('query:single', (node) => localizedParts(node.model) && node.param(localeParam)?.includes('all'))
  host.hook('query:meta', (node, { action }) => {
    const parts = localizedParts(node.model)
    // The answer of a write always has the entry's localizations.
    if (!parts || !(isWriteAction(action) || node.param(meta).includes('availableLocales'))) return undefined
    return [{ name: 'availableLocales', relation: parts.localizations, attribute: parts.locale }]
  })
}

const is = ({ locale }: Localized, code: RuntimeValue): Condition => compare(locale, '$eq', code)

const isAmong = ({ locale }: Localized, codes: readonly string[]): Condition => compare(locale, '$in', codes)

/** Entries in a requested locale, and entries in the fallback locale without a readable sibling in a requested one. */
function orElse(
  requested: Condition,
  inFallback: Condition,
  { localizations }: Localized,
  node: NodeView,
): Condition {
  const sibling = related(localizations, node.model, requested, node.scopeOf(localizations))
  return anyOf([requested, allOf([inFallback, not(sibling)]) ?? inFallback])
}

const firstUnknown = (names: readonly string[], known: readonly string[]) => {
  const name = names.find((one) => !known.includes(one))
  return name === undefined ? undefined : { name, known }
}

/** `fr`, `all`, or a list of codes. An unknown locale matches no entry and is not an error. */
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
