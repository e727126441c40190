/** The entries that a person chooses from, found on the server. */
import type { Query } from '../../query-text.ts'
import { request } from '../api.ts'
import type { Entry, ListAnswer } from '../entries.ts'
import { type ContentType, fileUid, type Model, pictureFieldOf } from '../model.ts'

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
  const picture = pictureFieldOf(type.attributes)
  return {
    publicationState: 'preview',
    fields: [
      ...(main ? [main] : ['id']),
      ...(type.hasDrafts ? ['publishedAt'] : []),
      ...(type.isLocalized ? ['locale'] : []),
    ],
    ...(picture !== undefined &&
      model.types.some(({ uid }) => uid === fileUid) && {
        populate: { [picture]: { fields: ['url', 'mime', 'formats'] } },
      }),
    ...(type.isLocalized && { locale: locale ?? 'all' }),
  }
}

/**
 * The ten best entries: those whose label begins with what is typed, then those that have it within; without a text, the newest ones.
 *
 * @throws ApiError
 */
export async function findEntries(
  wanted: Wanted,
  model: Model,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const { type, main } = wanted
  const typed = wanted.typed.trim()
  const common = commonQuery(wanted, model)
  const ask = async (more: Query): Promise<readonly Entry[]> => {
    const query = { ...common, pagination: { pageSize: most, withCount: false }, ...more }
    return (await request<ListAnswer>('GET', `content/${type.route}`, { query, signal })).body.data
  }
  if (typed === '') return ask({ sort: ['updatedAt:desc'] })
  if (main === undefined || !texts.has(type.attributes[main]?.type ?? '')) return ask({ _q: typed })
  // Side by side; a short text begins so many labels that the answer to the second is not waited for.
  const within = ask({ filters: { [main]: { $containsi: typed } } })
  within.catch(() => undefined)
  const first = await ask({ filters: { [main]: { $startsWithi: typed } } })
  if (first.length >= most) return first
  const others = await within
  const known = new Set(first.map(({ id }) => id))
  return [...first, ...others.filter(({ id }) => !known.has(id))].slice(0, most)
}
