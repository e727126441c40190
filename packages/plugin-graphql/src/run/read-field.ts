/** Root fields that read entries, by the same reads as REST. */
import {
  OctavoError,
  type Pagination,
  type ReadAnswer,
  type ReadRequest,
  type RequestState,
} from '@octavo/core'
import { type ContentType, readId } from '@octavo/core/plugin'
import { problem } from '../problems.ts'
import type { Page } from '../read/arguments.ts'
import type { CompiledRead } from '../read/compile-read.ts'
import { pruned, queryString } from '../read/place.ts'
import { type Making, missing, objectOf } from '../read/shape.ts'
import type { EntryField } from '../schema/roots.ts'
import type { Call } from './call.ts'
import { JsonText } from './json-text.ts'

/**
 * Reads for a field, whose permission the caller has.
 *
 * @param given The argument `id`.
 * @param state The state of the field.
 * @returns its value in the answer; `undefined` if a middleware prevented the read. @throws OctavoError
 */
export function runRead(
  field: EntryField,
  compiled: CompiledRead,
  given: unknown,
  state: RequestState,
  call: Call,
  making: Making,
): Promise<unknown> {
  const isOne = field.kind === 'findOne'
  const id = isOne ? idOf(given) : undefined
  const read: ReadRequest = { ...compiled.request, ...call.common, state, ...(id !== undefined && { id }) }
  const isNone = isOne && id === undefined
  return call.around(field, { id: given }, state, () =>
    answered(isNone ? undefined : read, compiled, call.octavo, making),
  )
}

/** @param read `undefined`: nothing is read, and nothing found. */
async function answered(
  read: ReadRequest | undefined,
  compiled: CompiledRead,
  octavo: Call['octavo'],
  making: Making,
): Promise<unknown> {
  const { layout, members, page } = compiled
  if (read && layout) {
    const answer = await readVisible({ ...read, layout }, compiled, octavo)
    if (!answer.data?.includes(missing)) {
      if (answer.data !== undefined) making.count(answer.data.length)
      return new JsonText(textOf(compiled, answer))
    }
    // Null where the schema has none, which makes the object around it null and adds an error.
  }
  const answer = read ? await readVisible(read, compiled, octavo) : { data: undefined }
  const data = answer.data === undefined ? (page ? [] : null) : JSON.parse(answer.data)
  return objectOf(members)({ data, ...(page && { meta: metaOf(page, answer.pagination) }) }, making)
}

/** The value of a field whose `data` is text. */
function textOf({ members, page }: CompiledRead, { data, pagination }: ReadAnswer): string {
  let text = '{'
  for (const { name, from, shape } of members) {
    const value =
      from === 'data'
        ? (data ?? (page ? '[]' : 'null'))
        : JSON.stringify(shape(page && metaOf(page, pagination), ofMeta))
    text += name + value
  }
  return `${text}}`
}

/** `meta` has no value that could be missing, and is small. */
const ofMeta: Making = { absent: () => {}, count: () => {} }

/** The errors of names that the caller may not use; those of relations come with the option `strict` only. */
const ofHiddenNames: ReadonlySet<string> = new Set(['query/unknown-attribute', 'query/nothing-to-populate'])

/**
 * Reads, without the values that the caller may not read: REST refuses their names, and GraphQL answers null. The first
 * attempt names them all, since most callers may read them.
 */
export function readVisible(
  request: ReadRequest,
  { place, parameters }: Pick<CompiledRead, 'place' | 'parameters'>,
  octavo: Call['octavo'],
): Promise<ReadAnswer> {
  return octavo.read(request).catch((error: unknown) => {
    if (!(error instanceof OctavoError) || !ofHiddenNames.has(error.code ?? '')) throw error
    const { state } = request
    const seen = (type: ContentType): ReadonlySet<string> =>
      octavo.visible({ type, action: type === request.type ? request.action : 'find', state })
    const less = pruned(place, (model) => (model.kind === 'component' ? undefined : seen(model)))
    return octavo.read({ ...request, query: queryString(less, parameters) })
  })
}

function metaOf({ limit, pageSize, page }: Page, pagination: Pagination | undefined): object {
  const { total = 0 } = pagination ?? {}
  return {
    pagination: {
      total,
      page,
      pageSize,
      pageCount: Math.ceil(total / limit),
    },
  }
}

/** @throws ValidationError for text that cannot be an id; `undefined` without one, and 0, which no entry has, for a number below 1 */
export function idOf(given: unknown): number | undefined {
  if (given === undefined || given === null) return undefined
  const text = String(given)
  const id = /^-?\d{1,10}$/.test(text) && Number(text) < 1 ? 0 : readId(text)
  if (id === undefined) throw problem('graphql/bad-id', { id: String(given).slice(0, 100) })
  return id
}
