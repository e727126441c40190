import { type Octavo, type OctavoError, type RequestState, sql } from '@octavo/core'
import {
  type ContentType,
  problem as coreProblem,
  type EntryInput,
  type FilteredEvent,
  param,
  readId,
  type WriteEvent,
} from '@octavo/core/plugin'
import type { RouteContext, Routes } from '@octavo/server'
import { localizedParts } from './content-type.ts'
import type { Locales } from './locales.ts'
import { problem } from './problems.ts'
import { complete, copySecrets, type GroupRow, groupOf } from './shared.ts'

declare module '@octavo/core' {
  interface RequestState {
    /** The entry that a create localizes. Set by the routes of plugin-i18n. */
    readonly localizationOf?: { readonly uid: string; readonly id: number }
  }
}

/** The entry that a create localizes; `undefined` for any other write. */
const sourceOf = ({ action, type, state }: FilteredEvent): number | undefined =>
  action === 'create' && state.localizationOf?.uid === type.uid ? state.localizationOf.id : undefined

/** Whether a write creates a localization of an entry. */
export const isLocalization = (event: FilteredEvent): boolean => sourceOf(event) !== undefined

/** Whether {@link localizedInput} reads entries: the source of a localization, or the entry of a single type. */
export const readsEntries = (event: FilteredEvent): boolean =>
  event.action === 'create' && (isLocalization(event) || event.type.kind === 'singleType')

/**
 * The input of a create or update with its locale: the default locale for a new entry without one. An
 * update ignores `locale`, and a localization gets the shared values of its source.
 *
 * @throws ApplicationError for a locale that does not exist, or in which the entry already exists.
 */
export async function localizedInput(
  input: EntryInput,
  event: WriteEvent,
  locales: Locales,
): Promise<EntryInput> {
  const parts = localizedParts(event.type)
  if (!parts) return input
  const { locale, localizations: _, ...rest } = input
  if (event.action === 'update') return rest
  const source = sourceOf(event)
  if (source !== undefined) return localization(rest, locale, source, event, locales)
  const code = locale ?? locales.default
  if (typeof code !== 'string' || !locales.has(code)) throw problem('i18n/unknown-locale')
  if (event.type.kind === 'singleType') {
    // Without the lock, two concurrent creates would both find none.
    await event.entries.lock(event.type.uid)
    const there = await event.entries.rows(event.type).first({ select: ['id'] })
    // An entry in another locale must be created as a localization.
    if (there) throw problem('i18n/already-exists', { type: event.type.singularName })
  }
  return { ...rest, locale: code }
}

async function localization(
  input: EntryInput,
  locale: unknown,
  source: number,
  { type, entries }: WriteEvent,
  locales: Locales,
): Promise<EntryInput> {
  if (locale === undefined || locale === null || locale === '') throw problem('i18n/no-locale')
  if (typeof locale !== 'string' || !locales.has(locale))
    throw problem('i18n/unknown-locale', { message: 'locale is invalid' })
  const rows = entries.rows<GroupRow>(type)
  const found = await rows.first({ where: { id: source }, lock: 'key' })
  if (!found) throw noSource()
  const group = { where: { localizations: found.localizations }, orderBy: { id: 'asc' } } as const
  if (found.localizations !== null) await rows.find({ ...group, select: ['id'], lock: 'key' })
  // Read after the lock: another transaction may have added one before.
  const taken = found.localizations === null ? [found] : await rows.find({ ...group, select: ['locale'] })
  if (taken.some((one) => one.locale === locale)) throw problem('i18n/locale-used')
  const common = (await entries.inputsOf(type.uid, [source], localizedParts(type)?.shared ?? [])).get(source)
  // Localizations of types with drafts begin as drafts; other types ignore the attribute.
  const draft = type.attributes.has('publishedAt') ? { publishedAt: null } : {}
  return { ...common, ...draft, ...input, locale }
}

/** Adds a new localization to the group of its source, which is created if necessary. @returns the source */
export async function joinGroup(event: WriteEvent): Promise<number | undefined> {
  const source = sourceOf(event)
  if (source === undefined || event.id === undefined) return undefined
  const { table } = event.type
  // The group is named by the id of its first entry, which has no group until a second one joins.
  const group = sql`coalesce(${groupOf(event.type, source)}, ${param(source, 'int4')})`
  await event.entries
    .rows<GroupRow>(event.type)
    .update({ where: { id: [source, event.id] }, set: { localizations: group } })
  const left = localizedParts(event.type)?.sharedSecrets.filter(
    ({ name }) => !Object.hasOwn(event.input, name),
  )
  await copySecrets(table, left ?? [], source, [event.id], event.entries)
  await complete(event, source)
  return source
}

export const canBeLocalized = (type: ContentType): boolean =>
  type.uid.startsWith('api::') && localizedParts(type) !== undefined

/** `/:plural/:id/localizations`, and the same for a single type. */
export const localizationRoute = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === 'singleType' ? `/${singularName}/localizations` : `/${pluralName}/:id/localizations`

export function addLocalizationRoute(octavo: () => Octavo, type: ContentType, routes: Routes): void {
  if (!type.uid.startsWith('api::')) return
  const path = localizationRoute(type)
  if (localizedParts(type)) {
    routes.add({
      method: 'POST',
      path,
      action: `${type.uid}.createLocalization`,
      body: 'fields',
      handler: (context) => localize(octavo(), type, context),
    })
  } else {
    routes.add({
      method: 'POST',
      path,
      handler: (context) => {
        context.set('Allow', 'OPTIONS')
        throw problem('i18n/not-localized', { type: type.singularName })
      },
    })
  }
}

async function localize(octavo: Octavo, type: ContentType, context: RouteContext): Promise<void> {
  // Set by the server, which authenticates before the handler runs.
  const caller = context.state.octavo as RequestState
  const source = await sourceId(octavo, type, context.params.id, caller)
  const state: RequestState = { ...caller, localizationOf: { uid: type.uid, id: source } }
  const input: EntryInput = context.request.body ?? {}
  const drafts = type.attributes.has('publishedAt') ? '&publicationState=preview' : ''
  const query = `populate[localizations]=true${drafts}`
  const { data } = await octavo.write({ type, action: 'create', input, query, state })
  context.body = bare(JSON.parse(data ?? 'null') as RestEntry, source)
}

/** The entry to localize, if the caller may read it; of a single type the first. */
async function sourceId(
  octavo: Octavo,
  type: ContentType,
  id: string | undefined,
  state: RequestState,
): Promise<number> {
  const named = type.kind === 'singleType' ? undefined : readId(id)
  if (type.kind !== 'singleType' && named === undefined) throw noSource()
  const { data } = await octavo.read({
    type,
    action: 'createLocalization',
    kind: 'one',
    query: 'fields=id&locale=all&publicationState=preview',
    lenient: true,
    state,
    ...(named !== undefined && { id: named }),
  })
  if (data === undefined) throw noSource()
  return (JSON.parse(data) as RestEntry).id
}

const noSource = (): OctavoError => coreProblem('entry/not-found', { message: 'Entity not found' })

interface RestEntry {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The entry without envelopes, with its siblings; its source is last. */
function bare({ id, attributes }: RestEntry, source: number): object {
  const { localizations, ...fields } = attributes
  const siblings = (localizations as { readonly data: readonly RestEntry[] } | undefined)?.data ?? []
  const inOrder = [
    ...siblings.filter((sibling) => sibling.id !== source),
    ...siblings.filter((sibling) => sibling.id === source),
  ]
  return {
    id,
    ...fields,
    localizations: inOrder.map((sibling) => ({ id: sibling.id, ...sibling.attributes })),
  }
}
