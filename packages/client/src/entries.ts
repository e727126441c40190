import type { Answer, EntryFiles, Page, UntypedEntry, WriteOptions } from './entry-api.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import type { Call, Transport } from './transport.ts'

type Query = Readonly<Record<string, unknown>>
type Arguments = readonly unknown[]

/**
 * The methods of a content-type at run time, where collection types and single types have the same ones: their
 * arguments begin with an id or not.
 *
 * @param route The plural name, or the singular name of a single type.
 */
export function entriesOf(transport: Transport, route: string, { publishActions }: ClientOptions) {
  const pathOf = (id: unknown): string =>
    `/${route}${id === undefined || id === null ? '' : `/${encodeURIComponent(String(id))}`}`
  const send = <T>(id: unknown, call: Omit<Call, 'path'>, suffix = ''): Promise<T> =>
    transport.send({ ...call, path: pathOf(id) + suffix })
  const one = (given: Arguments, call: Omit<Call, 'path'>): Promise<Answer<UntypedEntry>> => {
    const [id, query, options] = withId(given)
    return send(id, {
      ...call,
      query: query as Query | undefined,
      options: options as CallOptions | undefined,
    })
  }
  const write = (given: Arguments, method: 'POST' | 'PUT'): Promise<Answer<UntypedEntry>> => {
    const [id, data, query, options] = withId(given)
    const { files, ...rest } = (options ?? {}) as WriteOptions
    const body = files ? formOf(data, files) : { data }
    const repeatable = method === 'POST'
    return send(id, { method, body, query: query as Query | undefined, options: rest, repeatable })
  }
  const find = (query?: Query, options?: CallOptions): Promise<Page<UntypedEntry>> =>
    send(undefined, { query, options, tagged: true })
  const setPublished = (id: number, isPublished: boolean, options?: CallOptions) =>
    publishActions
      ? send(id, { method: 'POST', options }, `/actions/${isPublished ? 'publish' : 'unpublish'}`)
      : send(id, {
          method: 'PUT',
          body: { data: { publishedAt: isPublished ? new Date() : null } },
          options,
        })

  async function* pages({ pageSize, ...query }: Query = {}, options?: CallOptions) {
    for (let after: string | null = ''; after !== null; ) {
      const page: Page<UntypedEntry> = await find({ ...query, pagination: { after, pageSize } }, options)
      yield page
      const { pagination } = page.meta
      if (!('cursors' in pagination)) throw new TypeError('The server has no cursors: use find with a page')
      after = pagination.cursors.after
    }
  }

  return {
    find,
    async findOne(...given: Arguments) {
      const answer = await one(given, { tagged: true })
      // Programs in JavaScript may pass an id that is not there: the path is then that of the list. A single type has one for all locales.
      if (Array.isArray(answer.data))
        throw new TypeError(`findOne of ${route} needs the id of an entry; find reads a list`)
      return answer
    },
    pages,
    async *all(query?: Query, options?: CallOptions) {
      for await (const { data } of pages(query, options)) yield* data
    },
    async count(query?: Query, options?: CallOptions): Promise<number> {
      const counted = { ...query, fields: ['id'], pagination: { pageSize: 1, withCount: true } }
      return (await find(counted, options)).meta.pagination.total ?? 0
    },
    create: (...given: Arguments) => write([undefined, ...given], 'POST'),
    update: (...given: Arguments) => write(given, 'PUT'),
    delete: (...given: Arguments) => one(given, { method: 'DELETE' }),
    publish: (id: number, options?: CallOptions) => setPublished(id, true, options),
    unpublish: (id: number, options?: CallOptions) => setPublished(id, false, options),
    localize: (...given: Arguments) => {
      const [id, body, options] = withId(given)
      return send(id, { method: 'POST', body, options: options as CallOptions | undefined }, '/localizations')
    },
  }
}

/** The arguments with an id in front; `undefined` for a single type. A program in JavaScript may pass `null` for a missing id. */
const withId = (given: Arguments): Arguments =>
  typeof given[0] === 'object' && given[0] !== null ? [undefined, ...given] : given

/** The body of a write with files: `data` as JSON text, and the files under their attribute. */
function formOf(data: unknown, files: EntryFiles): FormData {
  const form = new FormData()
  form.append('data', JSON.stringify(data))
  for (const [name, given] of Object.entries(files))
    for (const file of [given].flat()) form.append(`files.${name}`, file as Blob)
  return form
}
