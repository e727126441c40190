/** A create that localizes an entry: its input, what must hold before it, and what it does to the entries in other locales. */
import { type OctavoError, type RequestState, sql } from '@octavo/core'
import {
  type ContentType,
  problem as coreProblem,
  type EntryInput,
  type FilteredEvent,
  lockOf,
  param,
  type StatementEvent,
  type WriteCheck,
  type WriteEvent,
  type WriteStatement,
} from '@octavo/core/plugin'
import { localizationsType, localizedParts } from './content-type.ts'
import type { Locales } from './locales.ts'
import { problem } from './problems.ts'
import { carryOver, copyTo, groupOf, isSame, remember } from './shared.ts'

/** The entry that a create localizes, as it was read before the write. */
export interface LocalizationSource {
  readonly uid: string
  readonly id: number
  /** The version of the row, which each update of the entry changes. */
  readonly version: string
  /** The input that would write the values that all locales share. */
  readonly shared: EntryInput
}

declare module '@octavo/core' {
  interface RequestState {
    /** The entry that a create localizes. Set by the routes of plugin-i18n. */
    readonly localizationOf?: LocalizationSource
  }
}

/** The refusal of a localization whose source was written since it was read. */
export const sourceChanged: OctavoError = coreProblem('database/busy')

export const noSource = (): OctavoError => coreProblem('entry/not-found', { message: 'Entity not found' })

/** The entry that a create localizes; `undefined` for any other write, also for further entries that a hook creates with it. */
function sourceOf({ action, by, type, state }: FilteredEvent): LocalizationSource | undefined {
  const { localizationOf: source } = state as RequestState
  return action === 'create' && by === 'caller' && source?.uid === type.uid ? source : undefined
}

/** Whether a write creates the first entry of a single type. */
export const isFirst = (event: FilteredEvent): boolean =>
  event.action === 'create' && event.type.kind === 'singleType' && !isLocalization(event)

/** Whether a write creates a localization of an entry. */
export const isLocalization = (event: FilteredEvent): boolean => sourceOf(event) !== undefined

/**
 * The input of a create or update with its locale: the default locale for a new entry without one. An
 * update ignores `locale`, and a localization gets the shared values of its source.
 *
 * @throws ApplicationError for a locale that does not exist.
 */
export function localizedInput(input: EntryInput, event: FilteredEvent, locales: Locales): EntryInput {
  if (!localizedParts(event.type)) return input
  const { locale, localizations: _, ...rest } = input
  if (event.action === 'update') return rest
  const source = sourceOf(event)
  if (source === undefined) {
    const code = locale ?? locales.default
    if (typeof code !== 'string' || !locales.has(code)) throw problem('i18n/unknown-locale')
    return { ...rest, locale: code }
  }
  if (locale === undefined || locale === null || locale === '') throw problem('i18n/no-locale')
  if (typeof locale !== 'string' || !locales.has(locale))
    throw problem('i18n/unknown-locale', { message: 'locale is invalid' })
  // Localizations of types with drafts begin as drafts; other types ignore the attribute.
  const draft = event.type.attributes.has('publishedAt') ? { publishedAt: null } : {}
  return { ...source.shared, ...draft, ...withoutUnset(rest, event.type), locale }
}

/** The checks of a create: a single type has one entry that is no localization, and an entry has one localization in each locale. */
export function localeChecks(event: FilteredEvent): readonly WriteCheck[] | undefined {
  const source = sourceOf(event)
  if (source) return [sourceCheck(event, source)]
  return isFirst(event) ? [firstCheck(event)] : undefined
}

function firstCheck({ type: { uid, table, singularName: type }, input }: FilteredEvent): WriteCheck {
  const isHere = sql`"locale" = ${param(String(input.locale), 'text')}`
  const also = ` POST /${type}/localizations adds one in another locale.`
  return {
    // Without the lock, two concurrent creates would both find none.
    lock: lockOf(uid),
    finds: sql`select case when ${isHere} then 1 else 0 end from ${sql.id(table)} order by 1 desc limit 1`,
    refusal: ([found]) =>
      found ? coreProblem('entry/second-single', { type, also }) : problem('i18n/already-exists', { type }),
  }
}

function sourceCheck({ type, input }: FilteredEvent, { id, version }: LocalizationSource): WriteCheck {
  const table = sql.id(type.table)
  const group = inGroupOf(type, id)
  const source = sql`from ${table} as "s" where "s"."id" = ${param(id, 'int8')}`
  const isTaken = sql`exists (select from ${table} as "t" where ${group} and "t"."locale" = ${param(String(input.locale), 'text')})`
  const isChanged = sql`(select "s"."xmin"::text ${source}) <> ${param(version, 'text')}`
  const reasons = [
    { holds: sql`not exists (select ${source})`, error: noSource },
    { holds: isTaken, error: () => problem('i18n/locale-used') },
    { holds: isChanged, error: () => sourceChanged },
  ]
  const cases = reasons.map(({ holds }, n) => sql`when ${holds} then ${sql.lit(n)}`)
  return {
    lock: sql`select 1 from ${table} as "t" where ${group} order by "t"."id" for no key update`,
    finds: sql`select "r"."n" from (select case ${sql.join(cases, sql` `)} end as "n") as "r" where "r"."n" is not null`,
    refusal: ([n]) => (reasons[n ?? 0]?.error ?? noSource)(),
  }
}

/** Whether the row `t` is an entry, or one of its localizations. */
const inGroupOf = (type: ContentType, id: number) =>
  sql`("t"."id" = ${param(id, 'int8')} or "t".${groupColumn} = ${groupOf(type, id)})`

const groupColumn = sql.id(localizationsType.column)

/**
 * Leaves out the shared values that a localization has as null: a form sends null for what it does not show, which must not clear the
 * value of the other localizations. Source: the reference server, which takes the value of the source for them.
 */
function withoutUnset(input: EntryInput, type: ContentType): EntryInput {
  const { shared = [], sharedSecrets = [] } = localizedParts(type) ?? {}
  const common = new Set([...shared, ...sharedSecrets.map(({ name }) => name)])
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== null || !common.has(name)),
  )
}

/** The statements of a localization: it joins the group of its source, and gets the shared values that no input can write. */
export function localizationStatements(event: StatementEvent): readonly WriteStatement[] | undefined {
  const source = sourceOf(event)
  if (!source) return undefined
  remember(event.type, source.id, true)
  const table = sql.id(event.type.table)
  const id = param(source.id, 'int8')
  const written = sql`${event.written} as "w"`
  // The group is named by the id of its first entry, which has no group until a second one joins.
  const join = sql`update ${table} as "t" set ${groupColumn} = coalesce(${groupOf(event.type, source.id)}, ${id}) from ${written} where "t"."id" = any(array["w"."id", ${id}])`
  const secrets = (localizedParts(event.type)?.sharedSecrets ?? [])
    .filter(({ name }) => !Object.hasOwn(event.input, name))
    .map(({ column }) => sql`${sql.id(column)} = "s".${sql.id(column)}`)
  const copy = sql`update ${table} as "t" set ${sql.join(secrets)} from ${table} as "s", ${written} where "s"."id" = ${id} and "t"."id" = "w"."id"`
  return [join, ...(secrets.length > 0 ? [copy] : [])].map((statement) => ({ when: 'after', statement }))
}

/** Whether a localization has other shared values than its source, or lacks some, so that more is to be written than itself. */
export function differsFromSource(event: FilteredEvent): boolean {
  const source = sourceOf(event)
  const { shared = [], sharedSecrets = [] } = localizedParts(event.type) ?? {}
  if (!source) return false
  return (
    sharedSecrets.some(({ name }) => Object.hasOwn(event.input, name)) ||
    shared.some((name) => !isSame(event.input[name], source.shared[name]))
  )
}

/** Writes shared values of a localization that are not those of its source to its siblings, and those that it lacks to itself. */
export async function settle(event: WriteEvent): Promise<void> {
  const source = sourceOf(event)
  if (!source || event.id === undefined) return
  // Another plugin removed them from the input, since the caller may not write them.
  const missing = Object.entries(source.shared).filter(([name]) => !Object.hasOwn(event.input, name))
  if (missing.length > 0)
    await copyTo(event.type.uid, [event.id], Object.fromEntries(missing), event.entries, 'plugin')
  await carryOver(event, source.id)
}
