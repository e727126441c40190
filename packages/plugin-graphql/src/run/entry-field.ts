/** Root fields that read and write entries, by the same reads and writes as REST. */
import type { RequestState } from '@octavo/core'
import type { EntryInput } from '@octavo/core/plugin'
import type { FieldNode } from 'graphql'
import type { Parameter } from '../read/arguments.ts'
import { envelopeShape } from '../read/compile.ts'
import { compileRead } from '../read/compile-read.ts'
import { argumentsOf, type Compiling, rootOf } from '../read/compiling.ts'
import { Place, queryString } from '../read/place.ts'
import type { Making } from '../read/shape.ts'
import { typeName } from '../schema/names.ts'
import { type EntryField, isRead } from '../schema/roots.ts'
import { type Call, ownState } from './call.ts'
import { asDraft } from './new-drafts.ts'
import { idOf, readVisible, runRead } from './read-field.ts'

type Values = Readonly<Record<string, unknown>>

/** Runs a root field. @returns its value in the answer. @throws OctavoError */
export async function runEntryField(
  field: EntryField,
  nodes: readonly FieldNode[],
  compiling: Compiling,
  call: Call,
  making: Making,
): Promise<unknown> {
  const { type, kind } = field
  const state = ownState(call.state)
  await call.authorize(field.action, type, state)
  if (isRead(field)) {
    const compiled = compileRead(field, nodes, compiling)
    return runRead(field, compiled, compiled.values.id, state, call, making)
  }
  const values = argumentsOf(nodes, 'Mutation', compiling)
  const place = new Place(type)
  // The read of a new localization, which begins as a draft, is a preview; its relations are not.
  const here = kind === 'localize' ? rootOf(place, 'preview', 'live') : rootOf(place, 'live')
  const shape = envelopeShape(nodes, type, `${typeName(type)}EntityResponse`, here, compiling)
  const data = await call.around(field, values, state, () => write(field, values, place, state, call))
  return shape({ data: data === undefined ? null : JSON.parse(data) }, making)
}

/** The JSON of the entry that a mutation returns; `undefined` without one. */
async function write(
  { type, kind, as }: EntryField,
  values: Values,
  place: Place,
  state: RequestState,
  call: Call,
): Promise<string | undefined> {
  const { octavo, common } = call
  const locale = typeof values.locale === 'string' ? values.locale : undefined
  const inLocale = locale === undefined ? {} : { locale }
  const parameters: readonly Parameter[] = locale === undefined ? [] : [[['locale'], locale]]
  const query = queryString(place, parameters)
  const target = { type, state, query }
  const id = type.kind === 'singleType' ? undefined : idOf(values.id)
  const byId = id === undefined ? {} : { id }
  const input = inputOf(values.data)
  // The update of a single type may create its entry.
  const created = input.publishedAt === undefined ? { ...target, state: asDraft(state) } : target
  switch (kind) {
    case 'create':
      return (await octavo.write({ ...created, action: 'create', input: { ...input, ...inLocale } })).data
    case 'update':
      return (await octavo.write({ ...created, ...byId, action: 'update', input })).data
    case 'delete':
      return (await octavo.write({ ...target, ...byId, action: 'delete' })).data
    case 'localize': {
      const made = await call.localize(type, id, { ...input, ...inLocale })
      const preview: readonly Parameter[] = [[['publicationState'], 'preview']]
      const one = { type, state, ...common, id: made, action: as, kind: 'one' as const }
      const read = { ...one, query: queryString(place, preview) }
      return (await readVisible(read, { place, parameters: preview }, octavo)).data
    }
    default:
      throw new Error(`${kind} is no mutation`)
  }
}

/** Input as a body of REST has it: objects with a prototype. */
const inputOf = (given: unknown): EntryInput => plainCopy(given ?? {}) as EntryInput

function plainCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainCopy)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainCopy(item)]))
}
