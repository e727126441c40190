/** The place of an entry at the server, and the request that loads it. */
import type { DraftPlace } from '../form/draft.ts'
import { type FormModel, type GroupValue, readEntry } from '../form/index.ts'
import { entryQuery, type PopulateOptions } from './populate.ts'
import type { Outcome, Wire } from './wire.ts'

/** The entry to open. */
export interface EntryPlace extends DraftPlace {
  /** The address of the content-type: `articles`, or `homepage` of a single type. */
  readonly route: string
  /** Whether the type has one entry, whose address has no id. Default false. */
  readonly single?: boolean
  /** The entry of which a new one is a translation into `locale`. For a single type it is found when the page is opened. */
  readonly origin?: number | undefined
}

/** An entry as in answers. */
export interface EntryData {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** An entry that was loaded, with its version. */
export interface Loaded {
  readonly kind: 'loaded'
  readonly data: EntryData
  readonly value: GroupValue
  readonly tag: string | undefined
}

export const addressOf = ({ route, single, entry }: EntryPlace, id: number | string | undefined): string =>
  single === true ? `content/${route}` : `content/${route}/${id ?? entry}`

/** The parameters with which an entry is loaded and saved. */
export const queryOf = (
  model: FormModel,
  { uid, single, locale }: EntryPlace,
  options: PopulateOptions,
): string => entryQuery(model, uid, { ...options, ...(single === true && { locale }) })

/** Loads an entry to look at. */
export const loadEntry = (
  wire: Wire,
  model: FormModel,
  place: EntryPlace,
  options: PopulateOptions,
): Promise<Loaded | Outcome> =>
  load(wire, model, addressOf(place, place.entry), queryOf(model, place, options), place.uid)

export async function load(
  wire: Wire,
  model: FormModel,
  address: string,
  query: string,
  uid: string,
): Promise<Loaded | Outcome> {
  const outcome = await wire.request('GET', `${address}?${query}`)
  if (outcome.kind !== 'ok') return outcome
  const { data } = outcome.body as { readonly data: EntryData | null }
  if (data === null) return { kind: 'missing' }
  const value = readAnswer(model, uid, data)
  return value ? { kind: 'loaded', data, value, tag: outcome.tag } : { kind: 'outdated' }
}

/**
 * The place of a single type without an entry in its locale. If another locale has an entry, the new entry is a translation of it. The entry of the
 * default locale may have been deleted, so the locale does not show whether its entry is the first.
 *
 * @returns the outcome of the request when it failed
 */
export async function firstPlace(wire: Wire, place: EntryPlace): Promise<EntryPlace | Outcome> {
  if (place.locale === undefined) return place
  const query = 'locale=all&publicationState=preview&fields[0]=id'
  const outcome = await wire.request('GET', `${addressOf(place, undefined)}?${query}`)
  if (outcome.kind === 'missing') return place
  if (outcome.kind !== 'ok') return outcome
  const { data } = outcome.body as { readonly data: readonly EntryData[] | null }
  return { ...place, origin: data?.[0]?.id }
}

/** The value of an entry; `undefined` where it has a component that the model lacks, since the server was started with another one. */
export function readAnswer(model: FormModel, uid: string, data: EntryData): GroupValue | undefined {
  try {
    return readEntry(model, uid, data)
  } catch {
    return undefined
  }
}

/**
 * Finds the translation of an entry into the locale of a place.
 *
 * @returns its id, `undefined` where there is none; or the outcome of the request when it failed
 */
export async function findTranslation(
  wire: Wire,
  { route, locale }: EntryPlace,
  origin: number,
): Promise<{ readonly id: number | undefined } | Exclude<Outcome, { readonly kind: 'ok' }>> {
  const query = 'publicationState=preview&fields[0]=id&populate[localizations][fields][0]=locale'
  const outcome = await wire.request('GET', `content/${route}/${origin}?${query}`)
  if (outcome.kind !== 'ok') return outcome
  const { data } = outcome.body as { readonly data: EntryData }
  const { localizations } = data.attributes as {
    readonly localizations?: { readonly data: readonly EntryData[] }
  }
  return { id: localizations?.data.find(({ attributes }) => attributes.locale === locale)?.id }
}
