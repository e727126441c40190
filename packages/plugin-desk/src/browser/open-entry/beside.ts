/** An entry in another language, beside its translation. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FieldValue, type Form, type GroupValue, modelOf } from '../../form/index.ts'
import { type EntryPlace, loadEntry } from '../../wire/index.ts'
import { type Entry, relatedIn } from '../model/entries.ts'
import type { ContentType, Locale } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import type { Asking } from '../page-parts/asked.tsx'
import { ApiError } from '../requests/api.ts'
import { errorOf } from './outcome-words.ts'
import { looksFor, wire } from './wire.ts'

export interface Beside {
  readonly locale: Locale
  readonly value: GroupValue
}

/**
 * The value of a field in another language. Parts correspond by their place, as long as both are of one kind.
 *
 * @returns `undefined` where the other language has no such part
 */
export function valueBeside(form: Form, other: GroupValue, key: string): FieldValue | undefined {
  let group: GroupValue | undefined = other
  let value: FieldValue | undefined
  for (const at of form.pathTo(key)) {
    const node = form.find(at)
    if (!node || at === '') continue
    if (node.kind !== 'group') {
      value = group?.fields[node.name]
      continue
    }
    const list = form.find(node.parent ?? '')
    const place = list?.kind === 'components' ? list.items.indexOf(at) : -1
    const twin = value?.kind === 'components' ? value.items[place] : undefined
    group = twin?.uid === node.uid ? twin : undefined
    value = undefined
  }
  return value
}

interface Place {
  readonly type: ContentType
  /** The entry of the page; `undefined` while it is new. */
  readonly entry: Entry | undefined
  readonly locale: string | undefined
  /** The id of the entry of which a new one is a translation. */
  readonly origin: string | undefined
  /** The code of the language that was chosen, or `none`. */
  readonly wanted: string | undefined
}

/** A language in which the entry can be shown beside the page, and where it is. */
export interface BesideChoice {
  readonly code: string
  readonly name: string
  readonly place: Pick<EntryPlace, 'single' | 'locale' | 'entry'>
}

function useChoices({ type, entry, locale }: Place): readonly BesideChoice[] {
  const { model } = useSession()
  if (!type.isLocalized || !entry) return []
  const versions = relatedIn(entry.attributes.localizations)
  return model.locales.flatMap(({ code, name }) => {
    const version = versions.find(({ attributes }) => attributes.locale === code)
    if (!version || code === locale) return []
    const place =
      type.kind === 'singleType' ? { single: true, locale: code, entry: 0 } : { entry: version.id }
    return [{ code, name, place }]
  })
}

/** The language beside the page: for a translation that begins, at first the one that it is made of. */
export function useBeside(at: Place): {
  readonly beside: Beside | undefined
  readonly choices: readonly BesideChoice[]
  /** The request for the language; `undefined` when none is chosen. */
  readonly asking: Asking | undefined
} {
  const { type, entry, origin, wanted } = at
  const { me, model } = useSession()
  const choices = useChoices(at)
  const place =
    wanted === undefined && origin !== undefined
      ? { entry: Number(origin) }
      : choices.find(({ code }) => code === wanted)?.place
  const asking = useQuery({
    queryKey: ['beside', type.uid, place],
    enabled: place !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const full = { person: me.person.id, uid: type.uid, route: type.route, entry: 0, ...place }
      const loaded = await loadEntry(wire, modelOf(model), full, looksFor(model))
      if (['missing', 'outdated', 'refused'].includes(loaded.kind)) return null
      if (loaded.kind === 'signed-out') throw new ApiError(401, '')
      if (loaded.kind !== 'loaded') throw errorOf(loaded)
      return loaded
    },
  })
  const { data } = asking
  const locale = model.locales.find((one) => one.code === data?.data.attributes.locale)
  const beside: Beside | undefined =
    place && data && locale && data.data.id !== entry?.id ? { locale, value: data.value } : undefined
  return { beside, choices, asking: place === undefined ? undefined : asking }
}
