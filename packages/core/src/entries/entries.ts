import { stringify } from 'qs'
import type { Definition, IsUnknown } from '../content-type/attributes-of.ts'
import type { ContentTypeDefinition } from '../content-type/definition.ts'
import type { InputOf } from '../content-type/input-types.ts'
import type { ContentType, Registry } from '../content-type/model.ts'
import { didYouMean } from '../content-type/nearest.ts'
import { problem } from '../error/problems.ts'
import { ownParameters } from '../parse/parse-query.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { Pagination, ReadAnswer, ReadRequest, WriteRequest } from '../requests.ts'
import type { EntryInput } from '../write/validate.ts'
import type { AnswerQuery, Fields, ListingQuery, Populate, QueryInput } from './query.ts'
import type { ResultOf } from './result.ts'

/** An entry as the REST interface answers it. */
export interface Entry<Attributes = Readonly<Record<string, unknown>>> {
  readonly id: number
  readonly attributes: Attributes
  readonly meta?: Readonly<Record<string, unknown>>
}

/**
 * The entries of one content-type, for programs: the same questions, checks, hooks and answers as over HTTP.
 * All of them throw the OctavoError that a client would be answered with.
 */
export interface Entries<Attributes = Readonly<Record<string, unknown>>, Input = EntryInput> {
  find(
    query?: QueryInput,
  ): Promise<{ readonly data: readonly Entry<Attributes>[]; readonly pagination: Pagination }>
  /** @param id Absent for a single type. Answers `undefined` when there is no such entry. */
  findOne(id?: number, query?: QueryInput): Promise<Entry<Attributes> | undefined>
  create(input: Input, query?: QueryInput): Promise<Entry<Attributes>>
  /** @throws NotFoundError */
  update(id: number, input: Partial<Input>, query?: QueryInput): Promise<Entry<Attributes>>
  /** Answers with the entry as it was. @throws NotFoundError */
  delete(id: number, query?: QueryInput): Promise<Entry<Attributes>>
}

/** The entries of a content-type whose definition is known: queries are checked, and answers have the type of what they ask. */
export interface TypedEntries<M, D extends Definition> {
  find<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    query?: ListingQuery<M, D, F, P>,
  ): Promise<{ readonly data: readonly ResultOf<M, D, F, P>[]; readonly pagination: Pagination }>
  /** @param id Absent for a single type. Answers `undefined` when there is no such entry. */
  findOne<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    id?: number,
    query?: AnswerQuery<M, D, F, P>,
  ): Promise<ResultOf<M, D, F, P> | undefined>
  create<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    input: InputOf<D>,
    query?: AnswerQuery<M, D, F, P>,
  ): Promise<ResultOf<M, D, F, P>>
  /** @throws NotFoundError */
  update<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    id: number,
    input: Partial<InputOf<D>>,
    query?: AnswerQuery<M, D, F, P>,
  ): Promise<ResultOf<M, D, F, P>>
  /** Answers with the entry as it was. @throws NotFoundError */
  delete<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    id: number,
    query?: AnswerQuery<M, D, F, P>,
  ): Promise<ResultOf<M, D, F, P>>
}

/** The entries of a definition; untyped when nothing more is known of it. */
export type EntriesFor<M, D extends Definition> = IsUnknown<D> extends true ? Entries : TypedEntries<M, D>

/** How entries are read and written: on their own, or inside a transaction. */
export interface EntryDoor {
  read(request: ReadRequest): Promise<ReadAnswer>
  write(request: WriteRequest): Promise<ReadAnswer>
}

/**
 * @param named The uid or the singular name of a content-type, or the definition that it was made with.
 * @throws Error when there is none of that name.
 */
export function findType(registry: Registry, named: string | ContentTypeDefinition): ContentType {
  const name = typeof named === 'string' ? named : (named.uid ?? named.info.singularName)
  const type =
    registry.contentTypes.get(name) ??
    [...registry.contentTypes.values()].find((t) => t.singularName === name)
  if (type) return type
  const known = [...registry.contentTypes.values()].map((t) => t.singularName).join(', ')
  throw new Error(`There is no content-type "${name}"; there are ${known}`)
}

export function entriesOf<Attributes>(
  type: ContentType,
  door: EntryDoor,
  state: RequestState,
  missing: () => Error,
  params: ReadonlyMap<string, unknown>,
): Entries<Attributes> {
  const textOf = (query: QueryInput | undefined): string => queryText(query, params)
  // The database answers with what the definition says, of which `Attributes` is the type.
  const found = (answer: ReadAnswer): Entry<Attributes> => {
    if (answer.data === undefined) throw missing()
    return JSON.parse(answer.data) as Entry<Attributes>
  }
  const write = async (
    request: Pick<WriteRequest, 'action' | 'id' | 'input'>,
    query: QueryInput | undefined,
  ): Promise<Entry<Attributes>> => found(await door.write({ type, query: textOf(query), state, ...request }))
  return {
    async find(query) {
      const { data = '[]', pagination } = await door.read({
        type,
        action: 'find',
        kind: 'list',
        query: textOf(query),
        state,
      })
      if (!pagination) throw new Error('A list came without its pagination')
      return { data: JSON.parse(data) as Entry<Attributes>[], pagination }
    },
    async findOne(id, query) {
      const action = id === undefined ? 'find' : 'findOne'
      const { data } = await door.read({
        type,
        action,
        kind: 'one',
        query: textOf(query),
        state,
        ...(id !== undefined && { id }),
      })
      return data === undefined ? undefined : (JSON.parse(data) as Entry<Attributes>)
    },
    create: (input, query) => write({ action: 'create', input }, query),
    update: (id, input, query) => write({ action: 'update', id, input }, query),
    delete: (id, query) => write({ action: 'delete', id }, query),
  }
}

/**
 * The query string that says the same, so that programs and clients go through one door.
 * @throws ValidationError for a name that is no parameter: a program misspelt it, while a URL may carry anything.
 */
function queryText(query: QueryInput | undefined, params: ReadonlyMap<string, unknown>): string {
  if (!query) return ''
  const known = [...ownParameters, ...params.keys()]
  for (const name of Object.keys(query))
    if (!known.includes(name))
      throw problem('query/unknown-parameter', {
        name,
        hint: didYouMean(name, known, `; there are ${known.join(', ')}`),
      })
  return stringify(query, { arrayFormat: 'indices', skipNulls: true })
}
