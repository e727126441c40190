/** The entries that a person chooses from, found on the server. */
import type { QueryClient } from '@tanstack/react-query'
import type { Query } from '../../query-text.ts'
import { request } from '../api.ts'
import type { Entry, ListAnswer } from '../entries.ts'
import { type ContentType, type Model, pictureFieldOf, pictureFields } from '../model.ts'

/** How many entries are offered. */
const most = 10

const texts: ReadonlySet<string> = new Set(['string', 'text', 'uid', 'email', 'richtext'])

export interface Wanted {
  readonly type: ContentType
  /** The attribute that labels the entries. */
  readonly main: string | undefined
  readonly typed: string
  /** The locale of the entry that will lead to the chosen one; `undefined` offers all. */
  readonly locale: string | undefined
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
 * Answers of the server about one list to choose from, kept with the client of queries until an entry is saved. What has a text has each
 * beginning of that text: when fewer entries than are offered have the beginning, those with the text are among them. Without an index
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

  add(operator: Operator, typed: string, entries: readonly Entry[]): void {
    this.#client.setQueryData(this.#keyOf(operator, typed), entries)
  }

  /** The entries of a list for which an operator holds. */
  narrow(entries: readonly Entry[], operator: Operator, typed: string): readonly Entry[] {
    const { main = '' } = this.#wanted
    return entries.filter(({ attributes }) =>
      holds[operator](lower(String(attributes[main] ?? '')), lower(typed)),
    )
  }

  /** The entries that earlier answers tell; `undefined` when they do not tell all of them. */
  find(operator: Operator, typed: string): readonly Entry[] | undefined {
    for (let length = typed.length; length > 0; length--) {
      const beginning = typed.slice(0, length)
      // A label that begins with a text contains it.
      const known = this.#whole(operator, beginning) ?? this.#whole('$containsi', beginning)
      if (known) return this.narrow(known, operator, typed)
    }
    return undefined
  }

  #whole(operator: Operator, typed: string): readonly Entry[] | undefined {
    const state = this.#client.getQueryState<readonly Entry[]>(this.#keyOf(operator, typed))
    if (!state?.data || state.isInvalidated || state.dataUpdatedAt < Date.now() - freshness) return undefined
    return isWhole(state.data) ? state.data : undefined
  }
}

/** Whether there are no more entries than these. */
const isWhole = (entries: readonly Entry[]): boolean => entries.length < most

/**
 * The ten best entries: those whose label begins with what is typed, then those that have it within; without a text, the newest ones.
 *
 * @throws ApiError
 */
export async function findEntries(
  wanted: Wanted,
  model: Model,
  client: QueryClient,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const { type, main } = wanted
  const typed = wanted.typed.trim()
  const common = commonQuery(wanted, model)
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  const ask = async (more: Query): Promise<readonly Entry[]> => {
    const query = { ...common, pagination: { pageSize: most, withCount: false }, ...more }
    return (await request<ListAnswer>('GET', `content/${type.route}`, { query, signal: either })).body.data
  }
  if (typed === '') return ask({ sort: ['updatedAt:desc'] })
  if (main === undefined || !texts.has(type.attributes[main]?.type ?? '')) return ask({ _q: typed })
  const answers = new Answers(client, wanted)
  const having = async (operator: Operator): Promise<readonly Entry[]> => {
    const known = answers.find(operator, typed)
    if (known) return known
    const entries = await ask({ filters: { [main]: { [operator]: typed } } })
    answers.add(operator, typed, entries)
    return entries
  }
  try {
    return await best(having, (entries) => answers.narrow(entries, '$startsWithi', typed))
  } finally {
    // The answer that is not waited for.
    ending.abort()
  }
}

/** Asks both questions side by side, and waits for as few answers as tell which entries are the best. */
async function best(
  having: (operator: Operator) => Promise<readonly Entry[]>,
  beginning: (entries: readonly Entry[]) => readonly Entry[],
): Promise<readonly Entry[]> {
  const starting = having('$startsWithi')
  const within = having('$containsi')
  within.catch(() => undefined)
  const first = await Promise.race([
    starting,
    within.then(
      (all) => (isWhole(all) ? beginning(all) : starting),
      () => starting,
    ),
  ])
  // A short text begins so many labels that the other answer is not waited for.
  if (!isWhole(first)) return first
  const others = await within
  const known = new Set(first.map(({ id }) => id))
  return [...first, ...others.filter(({ id }) => !known.has(id))].slice(0, most)
}
