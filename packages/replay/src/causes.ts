import { type Answer, type Difference, isObject } from './compare.ts'

/**
 * The weight of a difference for clients, most first: a request that fails now; an answer that lacks or has changed something; an
 * answer that only has more; a deliberate difference, of docs/contract/differences.md.
 */
export const ranks = ['broken', 'changed', 'added', 'deliberate'] as const
export type Rank = (typeof ranks)[number]

/** The difference and its reason, in one text for all differences of one cause. */
export interface Cause {
  readonly rank: Rank
  readonly title: string
  /** The reason of a deliberate difference, or what may have caused another one. */
  readonly note?: string
}

/** A request with both answers. */
export interface Exchange {
  readonly path: string
  readonly old: Answer
  readonly new: Answer
}

/** The cause of a difference: a known deliberate one, or one by its kind and place. */
export const causeOf = (difference: Difference, exchange: Exchange): Cause =>
  deliberate.map((known) => known(difference, exchange)).find((cause) => cause !== undefined) ??
  plain(difference, exchange)

type Known = (difference: Difference, exchange: Exchange) => Cause | undefined

const known = (title: string, note: string): Cause => ({ rank: 'deliberate', title, note })

/** Each recognises one row of docs/contract/differences.md by the answers. */
const deliberate: readonly Known[] = [
  ({ kind, at }, { path, old, new: now }) =>
    at === 'data' && !queryOf(path).has('sort') && isUnsortedPage(kind, old, now)
      ? known('Lists without sort', 'They are in the order of ids; the old order was that of the table.')
      : undefined,
  ({ kind }, { old, new: now }) =>
    kind === 'status' && old.status >= 500 && now.status === 400
      ? known('Invalid requests are 400', 'The old server answered them with 500.')
      : undefined,
  ({ kind }, { old, new: now }) =>
    kind === 'status' && old.status < 300 && codeOf(now) === 'query/unknown-operator'
      ? known(
          'Unknown operators of filters are 400',
          'The old server ignored them and answered all entries. The requests have typing mistakes.',
        )
      : undefined,
  ({ kind }, { old, new: now }) =>
    kind === 'status' && now.status === 404 && isDraft(old)
      ? known(
          'Drafts by their id are 404',
          "Without publicationState=preview; draftPublish({ draftsById: 'show' }) shows them.",
        )
      : undefined,
  ({ kind, at }) =>
    kind !== 'missing' && kind !== 'type' && at.split('.').at(-1) === 'related'
      ? known(
          'related of files',
          'It has each entry once, in the order of content-types and ids, and no drafts.',
        )
      : undefined,
  ({ kind }, { old, new: now }) =>
    (kind === 'status' || kind === 'content type') && old.status === 405 && now.status === 405
      ? known('405 is JSON', 'The old server sends text.')
      : undefined,
  ({ at }, { old, new: now }) => {
    const [most, least] = [pageSizeOf(old), pageSizeOf(now)]
    const isPart = at === 'data' || at.startsWith('meta.pagination')
    return isPart && most !== undefined && least !== undefined && least < most
      ? known(
          'Pages have a maximum',
          `${least} entries here: api.rest.maxLimit of the configuration sets another one.`,
        )
      : undefined
  },
]

/** Whether two pages of a list differ as pages of one list in two orders do. */
function isUnsortedPage(kind: Difference['kind'], old: Answer, now: Answer): boolean {
  if (kind === 'order') return true
  const [before, after] = [old, now].map(({ body }) => (isObject(body) ? body : {}))
  const sameTotal = JSON.stringify(before?.meta) === JSON.stringify(after?.meta)
  return kind === 'entries' && sameTotal && lengthOf(before?.data) === lengthOf(after?.data)
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : -1)

function isDraft({ body }: Answer): boolean {
  const data = isObject(body) ? body.data : undefined
  return isObject(data) && isObject(data.attributes) && data.attributes.publishedAt === null
}

function codeOf({ body }: Answer): unknown {
  const error = isObject(body) ? body.error : undefined
  return isObject(error) && isObject(error.details) ? error.details.code : undefined
}

function pageSizeOf({ body }: Answer): number | undefined {
  const meta = isObject(body) ? body.meta : undefined
  const pagination = isObject(meta) && isObject(meta.pagination) ? meta.pagination : {}
  const size = pagination.pageSize ?? pagination.limit
  return typeof size === 'number' ? size : undefined
}

/** The top-level parameters of a query string: `sort` for `sort[0]=id`. */
const queryOf = (path: string): ReadonlySet<string> =>
  new Set(
    decoded(path)
      .split('?')
      .slice(1)
      .join('?')
      .split('&')
      .map((parameter) => parameter.split(/[[=]/)[0] ?? ''),
  )

/** `filters[author][name]=…`, `sort=author.name`: a condition on related entries. */
const throughRelation = /(?:[?&]filters(?:\[\$\w+\]|\[\d+\])*\[\w+\]\[\w+\])|(?:[?&]sort[^=]*=\w+\.\w+)/

function plain({ kind, at }: Difference, { path, old, new: now }: Exchange): Cause {
  const place = shortPlace(at)
  switch (kind) {
    case 'status': {
      const code = codeOf(now)
      const isWorse = now.status >= 400 && old.status < 400
      return {
        rank: isWorse || now.status >= 500 ? 'broken' : 'changed',
        title: `${now.status} in place of ${old.status}${typeof code === 'string' ? `, ${code}` : ''}`,
      }
    }
    case 'content type':
      return { rank: 'broken', title: 'Another type of content' }
    case 'bytes':
      return { rank: 'broken', title: 'Other bytes' }
    case 'missing':
      return { rank: 'changed', title: `${place} is missing` }
    case 'added':
      return { rank: 'added', title: `${place} is new` }
    case 'entries':
      return {
        rank: 'changed',
        title: `Other entries in ${place}`,
        ...(throughRelation.test(decoded(path)) && {
          note: 'If the related entries are drafts, this is deliberate: filters and sorts through a relation use the entries that populate would return.',
        }),
      }
    case 'length':
      return { rank: 'changed', title: `Another number of items in ${place}` }
    case 'order':
      return { rank: 'changed', title: `Another order of ${place}` }
    case 'type':
      return { rank: 'changed', title: `Another kind of value at ${place}` }
    case 'value':
      return { rank: 'changed', title: `Another value at ${place}` }
  }
}

/** A place in an entry, the same in lists and alone: `attributes.title` of `data[*].attributes.title`. */
function shortPlace(at: string): string {
  const short = at
    .replace(/^data(?:\[\*\])?\./, '')
    .replaceAll('.data[*]', '[*]')
    .replaceAll('.data.', '.')
  return short === '' ? 'the answer' : short.replace(/^attributes\./, '')
}

/** A path with its percent escapes decoded, as people write it; those that are no UTF-8 remain. */
export const decoded = (path: string): string =>
  path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
