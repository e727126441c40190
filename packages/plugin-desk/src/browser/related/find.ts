/** The entries that a person chooses from, found on the server. */
import type { QueryClient } from '@tanstack/react-query'
import type { Query } from '../../query-text.ts'
import type { Entry, ListAnswer } from '../model/entries.ts'
import { type ContentType, type Model, pictureFieldOf, pictureFields } from '../model/model.ts'
import { request } from '../requests/api.ts'

/** How many entries are offered. */
const most = 10

/** How many entries are asked for at most, in one request. A server may give fewer. */
const largestPage = 100

const texts: ReadonlySet<string> = new Set(['string', 'text', 'uid', 'email', 'richtext'])

export interface Wanted {
  readonly type: ContentType
  /** The attribute that labels the entries. */
  readonly main: string | undefined
  readonly typed: string
  /** The locale of the entry that will lead to the chosen one; `undefined` offers all. */
  readonly locale: string | undefined
  /** The ids of entries that are not offered, as they are chosen already. */
  readonly linked: ReadonlySet<number>
}

/** Entries that meet a question, the best first. */
interface Found {
  readonly entries: readonly Entry[]
  /** Whether there are no more of them. */
  readonly isWhole: boolean
}

/** The parameters that all lists of a field to choose from have. */
function commonQuery({ type, main, locale }: Wanted, model: Model): Query {
  const picture = pictureFieldOf(model, type.attributes)
  return {
    publicationState: 'preview',
    fields: [
      ...(main ? [main] : ['id']),
      ...(type.hasDrafts ? ['publishedAt'] : []),
      ...(type.isLocalized ? ['locale'] : []),
    ],
    ...(picture !== undefined && { populate: { [picture]: { fields: pictureFields } } }),
    ...(type.isLocalized && { locale: locale ?? 'all' }),
  }
}

/** The questions about a text, by their operators. */
const holds = {
  $startsWithi: (label: string, typed: string) => label.startsWith(typed),
  $containsi: (label: string, typed: string) => label.includes(typed),
} as const
type Operator = keyof typeof holds

/** Letter by letter, as databases do: the form of a letter does not depend on its place in a word. */
const lower = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(letter.toLowerCase().codePointAt(0) ?? 0)).join('')

/** Milliseconds for which an answer answers longer texts as well. */
const freshness = 10_000

/**
 * Answers of the server about one list to choose from, stored with the client of queries until an entry is saved. An entry with a text also has each
 * beginning of this text. So if the list for a beginning is complete, it contains the entries for the longer text. Without an index
 * for searches, the server would read all entries for each key.
 */
class Answers {
  readonly #client: QueryClient
  readonly #wanted: Wanted

  constructor(client: QueryClient, wanted: Wanted) {
    this.#client = client
    this.#wanted = wanted
  }

  #keyOf(operator: Operator, typed: string): readonly unknown[] {
    const { type, main, locale } = this.#wanted
    return ['pick', type.uid, main, locale, operator, typed]
  }

  add(operator: Operator, typed: string, found: Found): void {
    this.#client.setQueryData(this.#keyOf(operator, typed), found)
  }

  /** The entries of a whole list for which an operator holds. */
  narrow({ entries, isWhole }: Found, operator: Operator, typed: string): Found {
    const { main = '' } = this.#wanted
    const isMet = ({ attributes }: Entry) =>
      holds[operator](lower(String(attributes[main] ?? '')), lower(typed))
    return { entries: entries.filter(isMet), isWhole }
  }

  /** The entries that earlier answers tell; `undefined` when they do not tell all of them. */
  find(operator: Operator, typed: string): Found | undefined {
    for (let length = typed.length; length > 0; length--) {
      const beginning = typed.slice(0, length)
      // A label that begins with a text contains it.
      const known = this.#whole(operator, beginning) ?? this.#whole('$containsi', beginning)
      if (known) return this.narrow(known, operator, typed)
    }
    return undefined
  }

  #whole(operator: Operator, typed: string): Found | undefined {
    const state = this.#client.getQueryState<Found>(this.#keyOf(operator, typed))
    if (!state?.data || state.isInvalidated || state.dataUpdatedAt < Date.now() - freshness) return undefined
    return state.data.isWhole ? state.data : undefined
  }
}

/**
 * The ten best entries: those whose label begins with the typed text, then those whose label contains it; without a text, the newest entries.
 *
 * @throws ApiError
 */
export async function findEntries(
  wanted: Wanted,
  model: Model,
  client: QueryClient,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const { type, main, linked } = wanted
  const typed = wanted.typed.trim()
  const common = commonQuery(wanted, model)
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  const offered = (entries: readonly Entry[]): readonly Entry[] =>
    [...new Map(entries.map((one) => [one.id, one])).values()]
      .filter(({ id }) => !linked.has(id))
      .slice(0, most)
  /** Asks for page after page until there are enough entries to offer: those before them may all be chosen already. */
  const ask = async (more: Query): Promise<Found> => {
    const pageSize = Math.min(largestPage, most + linked.size)
    const entries: Entry[] = []
    for (let page = 1; ; page += 1) {
      const query = { ...common, pagination: { page, pageSize, withCount: false }, ...more }
      const { body } = await request<ListAnswer>('GET', `content/${type.route}`, { query, signal: either })
      entries.push(...body.data)
      if (body.data.length < (body.meta.pagination.pageSize ?? pageSize)) return { entries, isWhole: true }
      if (offered(entries).length === most) return { entries, isWhole: false }
    }
  }
  if (typed === '') return offered((await ask({ sort: ['updatedAt:desc'] })).entries)
  if (main === undefined || !texts.has(type.attributes[main]?.type ?? ''))
    return offered((await ask({ _q: typed })).entries)
  const answers = new Answers(client, wanted)
  const having = async (operator: Operator): Promise<Found> => {
    const known = answers.find(operator, typed)
    if (known) return known
    const found = await ask({ filters: { [main]: { [operator]: typed } } })
    answers.add(operator, typed, found)
    return found
  }
  try {
    return await best(having, (found) => answers.narrow(found, '$startsWithi', typed), offered)
  } finally {
    // The answer that is not waited for.
    ending.abort()
  }
}

/** Asks both questions side by side, and waits for as few answers as tell which entries are the best. */
async function best(
  having: (operator: Operator) => Promise<Found>,
  beginning: (found: Found) => Found,
  offered: (entries: readonly Entry[]) => readonly Entry[],
): Promise<readonly Entry[]> {
  const starting = having('$startsWithi')
  const within = having('$containsi')
  within.catch(() => undefined)
  const { entries } = await Promise.race([
    starting,
    within.then(
      (all) => (all.isWhole ? beginning(all) : starting),
      () => starting,
    ),
  ])
  const first = offered(entries)
  // A short text begins so many labels that the other answer is not waited for.
  return first.length === most ? first : offered([...first, ...(await within).entries])
}
