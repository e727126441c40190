/** The types of the methods of a content-type. */
import type {
  AnswerQuery,
  Definition,
  Fields,
  InputOf,
  ListingQuery,
  Pagination,
  Populate,
  QueryInput,
  ResultOf,
  Sort,
} from '@octavo/core'
import type { CallOptions } from './options.ts'

/** A list with its page. */
export interface Page<Entry> {
  readonly data: readonly Entry[]
  readonly meta: { readonly pagination: Pagination }
}

export interface Answer<Entry> {
  readonly data: Entry
  readonly meta: Readonly<Record<string, unknown>>
}

/** The answer of a read of one entry. */
export interface ReadAnswer<Entry> extends Answer<Entry> {
  /** As the header `If-Match` of a write with the same query, refuses the write when the entry has changed; empty where a proxy removed it. */
  readonly etag: string
}

/** Files of an entry, by the name of the media attribute; a component's as `seo.image`. */
export type EntryFiles = Readonly<Record<string, Blob | readonly Blob[]>>

export interface WriteOptions extends CallOptions {
  /** Files that are uploaded together with the entry. */
  readonly files?: EntryFiles
}

/** The query of a walk over all pages; cursors need a sort by attributes of the entry itself. */
export interface WalkQuery<M, D extends Definition, F, P, S = Sort<M, D>>
  extends AnswerQuery<M, D, F, P>,
    Pick<ListingQuery<M, D, F, P, S>, 'filters' | 'sort' | '_q'> {
  /** Entries per request. Default: that of the server, 25. */
  readonly pageSize?: number
}

/** The filters of a count. */
export interface CountQuery<M, D extends Definition>
  extends Omit<AnswerQuery<M, D, never, never>, 'fields' | 'populate'>,
    Pick<ListingQuery<M, D, never, never>, 'filters' | '_q'> {}

/** `readonly` lists and inferred literals: what the query names is what the result has. */
export interface CollectionApi<M, D extends Definition> {
  /** A page of entries. */
  find<
    const F extends Fields<D> = never,
    const P extends Populate<M, D> = never,
    const S extends Sort<M, D> = Sort<M, D>,
  >(query?: ListingQuery<M, D, F, P, S>, options?: CallOptions): Promise<Page<ResultOf<M, D, F, P>>>
  /** One entry, with its ETag. @throws OctavoError `NotFoundError` */
  findOne<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    id: number,
    query?: AnswerQuery<M, D, F, P>,
    options?: CallOptions,
  ): Promise<ReadAnswer<ResultOf<M, D, F, P>>>
  /** All pages, one request each, by cursor: entries that are added meanwhile make none come twice. */
  pages<
    const F extends Fields<D> = never,
    const P extends Populate<M, D> = never,
    const S extends Sort<M, D> = Sort<M, D>,
  >(
    query?: WalkQuery<M, D, F, P, S>,
    options?: CallOptions,
  ): AsyncGenerator<Page<ResultOf<M, D, F, P>>, void, undefined>
  /** The entries of all pages. */
  all<
    const F extends Fields<D> = never,
    const P extends Populate<M, D> = never,
    const S extends Sort<M, D> = Sort<M, D>,
  >(
    query?: WalkQuery<M, D, F, P, S>,
    options?: CallOptions,
  ): AsyncGenerator<ResultOf<M, D, F, P>, void, undefined>
  /** The number of entries; an estimate where the server estimates totals. */
  count(query?: CountQuery<M, D>, options?: CallOptions): Promise<number>
  /** Creates an entry. The query is that of the answer. @throws OctavoError `ValidationError` */
  create<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    data: InputOf<D, M>,
    query?: AnswerQuery<M, D, F, P>,
    options?: WriteOptions,
  ): Promise<Answer<ResultOf<M, D, F, P>>>
  /** Changes the attributes that the data has. The query is that of the answer. @throws OctavoError `NotFoundError` */
  update<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    id: number,
    data: Partial<InputOf<D, M>>,
    query?: AnswerQuery<M, D, F, P>,
    options?: WriteOptions,
  ): Promise<Answer<ResultOf<M, D, F, P>>>
  /** Deletes an entry. The answer is the entry as it was. */
  delete<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    id: number,
    query?: AnswerQuery<M, D, F, P>,
    options?: CallOptions,
  ): Promise<Answer<ResultOf<M, D, F, P>>>
}

export interface SingleApi<M, D extends Definition> {
  /** @throws OctavoError `NotFoundError` when nothing has been written yet */
  find<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    query?: AnswerQuery<M, D, F, P>,
    options?: CallOptions,
  ): Promise<ReadAnswer<ResultOf<M, D, F, P>>>
  /** Creates the entry when there is none. */
  update<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    data: Partial<InputOf<D, M>>,
    query?: AnswerQuery<M, D, F, P>,
    options?: WriteOptions,
  ): Promise<Answer<ResultOf<M, D, F, P>>>
  delete<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    query?: AnswerQuery<M, D, F, P>,
    options?: CallOptions,
  ): Promise<Answer<ResultOf<M, D, F, P>>>
}

/** Of content-types with drafts. */
export interface PublishApi<M, D extends Definition> {
  /** Makes a draft public. */
  publish(id: number, options?: CallOptions): Promise<Answer<ResultOf<M, D>>>
  /** Makes an entry a draft again. */
  unpublish(id: number, options?: CallOptions): Promise<Answer<ResultOf<M, D>>>
}

/** Of localized content-types. */
export interface LocalizeApi<M, D extends Definition> {
  /** Creates the entry in another locale; a draft without `publishedAt` where the content-type has drafts. */
  localize(
    id: number,
    data: Partial<InputOf<D, M>> & { readonly locale: string },
    options?: CallOptions,
  ): Promise<Localization<M, D>>
}

/** Of localized single types. */
export interface LocalizeSingleApi<M, D extends Definition> {
  /** The entries of all locales. */
  find<const F extends Fields<D> = never, const P extends Populate<M, D> = never>(
    query: AnswerQuery<M, D, F, P> & { readonly locale: 'all' },
    options?: CallOptions,
  ): Promise<Answer<readonly ResultOf<M, D, F, P>[]>>
  localize(
    data: Partial<InputOf<D, M>> & { readonly locale: string },
    options?: CallOptions,
  ): Promise<Localization<M, D>>
}

/** A new localization: its attributes without `attributes`, as the route answers. */
export type Localization<M, D extends Definition> = { readonly id: number } & Omit<
  ResultOf<M, D>['attributes'],
  'localizations'
> & { readonly localizations: readonly ({ readonly id: number } & Readonly<Record<string, unknown>>)[] }

type HasDrafts = { readonly options: { readonly draftAndPublish: true } }
type IsLocalized = { readonly pluginOptions: { readonly i18n: { readonly localized: true } } }

/** The methods that a content-type has. */
export type EntryApi<M, D extends Definition> = D extends { readonly kind: 'singleType' }
  ? // The first signature that fits is taken.
    (D extends IsLocalized ? LocalizeSingleApi<M, D> : unknown) & SingleApi<M, D>
  : CollectionApi<M, D> &
      (D extends HasDrafts ? PublishApi<M, D> : unknown) &
      (D extends IsLocalized ? LocalizeApi<M, D> : unknown)

/** An entry without a type. */
export interface UntypedEntry {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

type Input = Readonly<Record<string, unknown>>

/** The methods of a content-type that has no types. A single type has `findOne`, `update`, `delete` and `localize` without an id. */
export interface UntypedApi {
  find(query?: QueryInput, options?: CallOptions): Promise<Page<UntypedEntry>>
  findOne(id: number, query?: QueryInput, options?: CallOptions): Promise<ReadAnswer<UntypedEntry>>
  findOne(query?: QueryInput, options?: CallOptions): Promise<ReadAnswer<UntypedEntry>>
  pages(query?: QueryInput, options?: CallOptions): AsyncGenerator<Page<UntypedEntry>, void, undefined>
  all(query?: QueryInput, options?: CallOptions): AsyncGenerator<UntypedEntry, void, undefined>
  count(query?: QueryInput, options?: CallOptions): Promise<number>
  create(data: Input, query?: QueryInput, options?: WriteOptions): Promise<Answer<UntypedEntry>>
  update(id: number, data: Input, query?: QueryInput, options?: WriteOptions): Promise<Answer<UntypedEntry>>
  update(data: Input, query?: QueryInput, options?: WriteOptions): Promise<Answer<UntypedEntry>>
  delete(id: number, query?: QueryInput, options?: CallOptions): Promise<Answer<UntypedEntry>>
  delete(query?: QueryInput, options?: CallOptions): Promise<Answer<UntypedEntry>>
  publish(id: number, options?: CallOptions): Promise<Answer<UntypedEntry>>
  unpublish(id: number, options?: CallOptions): Promise<Answer<UntypedEntry>>
  localize(id: number, data: Input, options?: CallOptions): Promise<{ readonly id: number } & Input>
  localize(data: Input, options?: CallOptions): Promise<{ readonly id: number } & Input>
}
