/** Root fields that read and write entries, by the same reads and writes as REST. */
import {
  type Octavo,
  OctavoError,
  type Pagination,
  type ReadAnswer,
  type ReadRequest,
  type RequestState,
} from '@octavo/core'
import { type ContentType, type EntryInput, readId } from '@octavo/core/plugin'
import type { FieldNode } from 'graphql'
import { problem } from '../problems.ts'
import { filterParameters, type Page, type Parameter, pageOf, sortParameters } from '../read/arguments.ts'
import { argumentsOf, type Compiling, envelopeShape, rootOf } from '../read/compile.ts'
import { Place, queryString } from '../read/place.ts'
import { subfields } from '../read/selection.ts'
import { constant, type Faults, type Member, nameOf, objectOf, plain, type Shape } from '../read/shape.ts'
import { typeName } from '../schema/names.ts'
import type { EntryField } from '../schema/roots.ts'

/** The request that a field belongs to. */
export interface Call {
  readonly octavo: Octavo
  /** The state of the request. Each field has a copy, in which its permission is recorded. */
  readonly state: RequestState
  /** Parts of reads and writes that are the same for all fields of the request. */
  readonly common: Pick<ReadRequest, 'signal'>
  /** @throws ForbiddenError without the permission */
  readonly authorize: (action: string | undefined, type: ContentType, state: RequestState) => Promise<void>
  /** Runs an action inside of the middleware of plugins around actions. */
  readonly around: (
    field: EntryField,
    values: Values,
    state: RequestState,
    run: () => Promise<void>,
  ) => Promise<void>
  /** Counts the bytes of an answer. @throws PayloadTooLargeError when all together are too many */
  readonly count: (bytes: number) => void
  /** Makes an entry in another locale, as the route of REST does. @returns its id */
  readonly localize: (type: ContentType, id: number | undefined, input: EntryInput) => Promise<number>
}

type Values = Readonly<Record<string, unknown>>

/** A field and the read that its selection needs. */
interface Planned {
  readonly field: EntryField
  readonly values: Values
  readonly place: Place
  readonly shape: Shape
}

/** Runs a root field. @returns its value in the answer. @throws OctavoError */
export async function runEntryField(
  field: EntryField,
  nodes: readonly FieldNode[],
  compiling: Compiling,
  call: Call,
  faults: Faults,
): Promise<unknown> {
  const { type, kind } = field
  const state = ownState(call.state)
  await call.authorize(field.action, type, state)
  const root = kind === 'find' || kind === 'findOne' || kind === 'single' ? 'Query' : 'Mutation'
  const values = argumentsOf(nodes, root, compiling)
  const place = new Place(type)
  if (kind === 'find')
    return runList({ field, values, place, shape: plain }, nodes, compiling, { ...call, state }, faults)
  // The read of a new localization, which begins as a draft, is a preview; its relations are not.
  const isPreview = values.publicationState === 'PREVIEW'
  const here =
    kind === 'localize' ? rootOf(place, 'preview', 'live') : rootOf(place, isPreview ? 'preview' : 'live')
  const shape = envelopeShape(nodes, type, `${typeName(type)}EntityResponse`, here, compiling)
  let data: string | undefined
  await call.around(field, values, state, async () => {
    data = await runOne({ field, values, place, shape }, { ...call, state })
  })
  if (data !== undefined) call.count(data.length)
  return shape({ data: data === undefined ? null : JSON.parse(data) }, faults)
}

/** The JSON of the entry that a field returns; `undefined` without one. */
async function runOne({ field, values, place }: Planned, call: Call): Promise<string | undefined> {
  const { type, kind, as } = field
  const { octavo, state, common } = call
  const locale = typeof values.locale === 'string' ? values.locale : undefined
  const parameters: readonly Parameter[] = [
    ...(locale === undefined ? [] : [[['locale'], locale] as const]),
    ...(values.publicationState === 'PREVIEW' ? [[['publicationState'], 'preview'] as const] : []),
  ]
  const query = (): string => queryString(place, parameters)
  const target = { type, state }
  const id = type.kind === 'singleType' ? undefined : idOf(values.id)
  const byId = id === undefined ? {} : { id }
  switch (kind) {
    case 'find':
    case 'findOne':
    case 'single': {
      if (kind === 'findOne' && id === undefined) return undefined
      const read = { ...target, ...common, ...byId, action: as, kind: 'one' as const }
      return (await readVisible(read, place, query, octavo)).data
    }
    case 'create': {
      const input = { ...inputOf(values.data), ...(locale !== undefined && { locale }) }
      return (await octavo.write({ ...target, action: 'create', input, query: query() })).data
    }
    case 'update': {
      const input = inputOf(values.data)
      return (await octavo.write({ ...target, ...byId, action: 'update', input, query: query() })).data
    }
    case 'delete':
      return (await octavo.write({ ...target, ...byId, action: 'delete', query: query() })).data
    case 'localize': {
      const input = { ...inputOf(values.data), ...(locale !== undefined && { locale }) }
      const made = await call.localize(type, id, input)
      const own = [[['publicationState'], 'preview'] as const]
      const read = { ...target, ...common, id: made, action: as, kind: 'one' as const }
      return (await readVisible(read, place, () => queryString(place, own), octavo)).data
    }
  }
}

async function runList(
  { field, values, place }: Planned,
  nodes: readonly FieldNode[],
  compiling: Compiling,
  { octavo, state, common, around, count }: Call,
  faults: Faults,
): Promise<unknown> {
  const { type, as } = field
  const page = pageOf(values.pagination, compiling.pages)
  const envelope = `${typeName(type)}EntityResponseCollection`
  const isPreview = values.publicationState === 'PREVIEW'
  let isCounted = false
  const meta = (name: string, given: readonly FieldNode[]): Shape | undefined => {
    if (name !== 'meta') return undefined
    const { shape, counts } = metaShape(given, compiling)
    isCounted ||= counts
    return shape
  }
  const here = rootOf(place, isPreview ? 'preview' : 'live')
  const shape = envelopeShape(nodes, type, envelope, here, compiling, meta)
  const parameters: readonly Parameter[] = [
    ...filterParameters(values.filters, type, compiling.registry),
    ...sortParameters(values.sort),
    [['pagination', 'start'], String(page.start)],
    [['pagination', 'limit'], String(page.limit)],
    [['pagination', 'withCount'], String(isCounted)],
    ...(isPreview ? [[['publicationState'], 'preview'] as const] : []),
    ...(typeof values.locale === 'string' ? [[['locale'], values.locale] as const] : []),
  ]
  const { amountLimit: maxLimit } = compiling.pages
  const read = { type, state, ...common, action: as, kind: 'list' as const, maxLimit }
  let answer: ReadAnswer = { data: undefined }
  await around(field, values, state, async () => {
    answer = await readVisible(read, place, () => queryString(place, parameters), octavo)
  })
  if (answer.data !== undefined) count(answer.data.length)
  const given = { data: JSON.parse(answer.data ?? '[]'), meta: metaOf(page, answer.pagination) }
  return shape(given, faults)
}

/**
 * Reads, without the values that the caller may not read: REST refuses their names, and GraphQL answers null. The first
 * attempt names them all, since most callers may read them.
 */
async function readVisible(
  request: Omit<ReadRequest, 'query'>,
  place: Place,
  query: () => string,
  octavo: Octavo,
): Promise<ReadAnswer> {
  try {
    return await octavo.read({ ...request, query: query() })
  } catch (error) {
    if (!(error instanceof OctavoError) || error.code !== 'query/unknown-attribute') throw error
    const { state } = request
    place.prune((model) => {
      if (model.kind === 'component') return undefined
      return octavo.visible({ type: model, action: model === request.type ? request.action : 'find', state })
    })
    return octavo.read({ ...request, query: query() })
  }
}

/** `meta { pagination { … } }`, and whether it needs the number of all entries. */
function metaShape(
  nodes: readonly FieldNode[],
  { operation }: Compiling,
): { readonly shape: Shape; readonly counts: boolean } {
  let counts = false
  const members = [...subfields(nodes, 'ResponseCollectionMeta', operation)].map(([key, given]): Member => {
    const from = nameOf(given)
    if (from === '__typename') return { key, from, shape: constant('ResponseCollectionMeta') }
    const parts = [...subfields(given, 'Pagination', operation)].map(([key, given]): Member => {
      const from = nameOf(given)
      if (from === 'total' || from === 'pageCount') counts = true
      return { key, from, shape: from === '__typename' ? constant('Pagination') : plain }
    })
    return { key, from, shape: objectOf(parts) }
  })
  return { shape: objectOf(members), counts }
}

function metaOf({ start, limit, pageSize }: Page, pagination: Pagination | undefined): object {
  const { total = 0 } = pagination ?? {}
  return {
    pagination: {
      total,
      page: Math.floor(start / limit) + 1,
      pageSize,
      pageCount: Math.ceil(total / limit),
    },
  }
}

/** @throws ValidationError for text that cannot be an id; `undefined` without one */
function idOf(given: unknown): number | undefined {
  if (given === undefined || given === null) return undefined
  const id = readId(String(given))
  if (id === undefined) throw problem('graphql/bad-id', { id: String(given).slice(0, 100) })
  return id
}

/** Input as a body of REST has it: objects with a prototype. */
const inputOf = (given: unknown): EntryInput => plainCopy(given ?? {}) as EntryInput

function plainCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainCopy)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainCopy(item)]))
}

/**
 * A copy of the state, with copies of the objects in it: `server:authorize` records the permission of an action in them, and
 * fields run side by side.
 */
function ownState(state: RequestState): RequestState {
  const copy = { ...state } as Record<string | symbol, unknown>
  for (const key of Reflect.ownKeys(copy)) {
    const value = copy[key]
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      copy[key] = { ...value }
  }
  return copy as RequestState
}
