import { stringify } from 'qs'
import type { ContentTypeDefinition } from '../content-type/definition/definition.ts'
import type { ContentType, Registry } from '../content-type/model.ts'
import type { Definition, IsUnknown } from '../content-type/types/attributes-of.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'
import type { InputOf } from '../content-type/types/input-types.ts'
import { problem } from '../error/problems.ts'
import { isId, readId } from '../id.ts'
import type { DeclaredParams } from '../parse/reading.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { BulkRequest, Pagination, ReadAnswer, ReadRequest, WriteRequest } from '../requests.ts'
import { checkQuery } from './check-query.ts'
import type { Populate } from './query/populate.ts'
import type { AnswerQuery, ListingQuery } from './query/query.ts'
import type { QueryInput } from './query/query-input.ts'
import type { Fields, Sort } from './query/sort.ts'
import type { ResultOf } from './result.ts'
import { writtenQuery } from './written-query.ts'

/** An entry as in responses of the REST interface. */
export interface Entry<Attributes = Readonly<Record<string, unknown>>> {
  readonly id: number
  readonly attributes: Attributes
  readonly meta?: Readonly<Record<string, unknown>>
}

/**
 * The entries of one content-type, for programs: the same queries, checks, hooks and results as over HTTP.
 * All methods throw the OctavoError of the HTTP response.
 */
export interface Entries<Attributes = Readonly<Record<string, unknown>>, Input = EntryInput> {
  /** Reads a page of entries. Without `fields` they have all of them, and only what `populate` names of relations, components and media. */
  find(
    query?: QueryInput,
  ): Promise<{ readonly data: readonly Entry<Attributes>[]; readonly pagination: Pagination }>
  /**
   * Reads one entry.
   * @param id Absent for a single type only.
   * @returns `undefined` when the entry does not exist, also for a number that is no id, such as `NaN`.
   */
  findOne(id?: number, query?: QueryInput): Promise<Entry<Attributes> | undefined>
  /** Creates an entry. The query is that of the answer. */
  create(input: Input, query?: QueryInput): Promise<Entry<Attributes>>
  /** Changes the attributes that the input has. The query is that of the answer. @throws NotFoundError */
  update(id: number, input: Partial<Input>, query?: QueryInput): Promise<Entry<Attributes>>
  /** Deletes an entry, and returns it as it was before. @throws NotFoundError */
  delete(id: number, query?: QueryInput): Promise<Entry<Attributes>>
}

/** The entries of a content-type with a known definition: queries are type-checked, and results have the type of the query. */
export interface TypedEntries<M, D extends Definition> {
  /** Reads a page of entries. Without `fields` they have all of them, and only what `populate` names of relations, components and media. */
  find<
    const F extends Fields<D> = never,
    const P extends Populate<M, D> = never,
    const S extends Sort<M, D> = Sort<M, D>,
  >(
    query?: ListingQuery<M, D, F, P, S>,
  ): Promise<{ readonly data: readonly ResultOf<M, D, F, P>[]; readonly pagination: Pagination }>
  /**
   * Reads one entry.
   * @param id Absent for a single type only.
   * @returns `undefined` when the entry does not exist, also for a number that is no id, such as `NaN`.
   */
  findOne<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    id?: number,
    query?: AnswerQuery<M, D, F, P>,
  ): Promise<ResultOf<M, D, F, P> | undefined>
  /**
   * Creates an entry. The query is that of the answer.
   * @throws OctavoError, `ValidationError` for an input that is not valid
   */
  create<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    input: InputOf<D, M>,
    query?: AnswerQuery<M, D, F, P>,
  ): Promise<ResultOf<M, D, F, P>>
  /**
   * Changes the attributes that the input has. The query is that of the answer.
   * @throws OctavoError, `NotFoundError` when the entry does not exist
   */
  update<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    id: number,
    input: Partial<InputOf<D, M>>,
    query?: AnswerQuery<M, D, F, P>,
  ): Promise<ResultOf<M, D, F, P>>
  /**
   * Deletes an entry, and returns it as it was before.
   * @throws OctavoError, `NotFoundError` when the entry does not exist
   */
  delete<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    id: number,
    query?: AnswerQuery<M, D, F, P>,
  ): Promise<ResultOf<M, D, F, P>>
}

/** The entries of a definition; untyped when the definition is unknown. */
export type EntriesFor<M, D extends Definition> = IsUnknown<D> extends true ? Entries : TypedEntries<M, D>

/** Reads and writes entries, each on its own or in a transaction. */
export interface EntryAccess {
  read(request: ReadRequest): Promise<ReadAnswer>
  write(request: WriteRequest): Promise<ReadAnswer>
}

/**
 * @param named The uid or the singular name of a content-type, or its definition.
 * @throws Error for an unknown name.
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
  registry: Registry,
  access: EntryAccess,
  state: RequestState,
  missing: () => Error,
  params: DeclaredParams,
): Entries<Attributes> {
  const textOf = (query: QueryInput | undefined): string => queryText(query, type, registry, params)
  // Safe: results have the shape of the definition, of which `Attributes` is the type.
  const found = (answer: ReadAnswer): Entry<Attributes> => {
    if (answer.data === undefined) throw missing()
    return JSON.parse(answer.data) as Entry<Attributes>
  }
  const write = async (
    request: Pick<WriteRequest, 'action' | 'id' | 'input'>,
    query: QueryInput | undefined,
  ): Promise<Entry<Attributes>> =>
    found(await access.write({ type, query: textOf(query), state, ...request }))
  const existing = (id: unknown, method: string): { readonly id?: number } => {
    const target = targetOf(type, id, method)
    if (target === undefined) throw missing()
    return target
  }
  return {
    async find(query) {
      const { data = '[]', pagination } = await access.read({
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
      const target = targetOf(type, id, 'findOne')
      const text = textOf(query)
      if (target === undefined) return undefined
      const action = target.id === undefined ? 'find' : 'findOne'
      const { data } = await access.read({ type, action, kind: 'one', query: text, state, ...target })
      return data === undefined ? undefined : (JSON.parse(data) as Entry<Attributes>)
    },
    create: (input, query) => write({ action: 'create', input }, query),
    update: async (id, input, query) => write({ action: 'update', ...existing(id, 'update'), input }, query),
    delete: async (id, query) => write({ action: 'delete', ...existing(id, 'delete') }, query),
  }
}

/**
 * @returns the id that a read or write is for, without one for the entry of a single type; `undefined` for a value that no entry
 *   has as its id. Texts are read as in paths.
 * @throws ValidationError for a collection type without an id
 */
function targetOf(type: ContentType, id: unknown, method: string): { readonly id?: number } | undefined {
  requireId(type, id, method)
  if (id === undefined || id === null) return {}
  const read = isId(id) ? id : readId(id)
  return read === undefined ? undefined : { id: read }
}

/** @throws ValidationError for a collection type without an id: the request would be for its first entry */
export function requireId({ kind, singularName }: ContentType, id: unknown, method: string): void {
  if ((id === undefined || id === null) && kind !== 'singleType')
    throw problem('entry/no-id', { method, type: singularName, id })
}

/** @throws ValidationError for a bulk write of an entry without an id, also of a single type: its entry may not exist yet */
export function requireIds({ type, update = [], delete: deleted = [] }: BulkRequest): void {
  const updated = update.map((input) => input?.id) // a program without types may pass null
  for (const id of [...updated, ...deleted])
    if (id === undefined || id === null)
      throw problem('entry/no-id', { method: 'bulk', type: type.singularName, id })
}

/**
 * The equivalent query string, so that requests of programs and clients have the same checks.
 * @throws ValidationError for unknown names, which are errors in programs and ignored in URLs, and for empty lists in filters
 */
export function queryText(
  query: QueryInput | undefined,
  type: ContentType,
  registry: Registry,
  params: DeclaredParams,
): string {
  if (!query) return ''
  checkQuery(query, type, registry, params)
  return stringify(writtenQuery(query), { arrayFormat: 'indices' })
}
