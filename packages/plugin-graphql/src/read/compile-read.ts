/** The read of a root field, compiled for the values of the variables that shape it. */
import { createHash } from 'node:crypto'
import type { ReadRequest } from '@octavo/core'
import type { AnswerLayout, RowLayout } from '@octavo/core/plugin'
import type { FieldNode } from 'graphql'
import { typeName } from '../schema/names.ts'
import type { EntryField } from '../schema/roots.ts'
import { filterParameters, type Page, type Parameter, pageOf, sortParameters } from './arguments.ts'
import { envelopeOf } from './compile.ts'
import { argumentsOf, type Compiling, rootOf } from './compiling.ts'
import { Place, queryString } from './place.ts'
import { subfields } from './selection.ts'
import { constant, type Member, nameOf, objectOf, plain, type Shape } from './shape.ts'

export interface CompiledRead {
  /** The arguments. */
  readonly values: Readonly<Record<string, unknown>>
  readonly place: Place
  /** The parameters of the root in the query of REST. */
  readonly parameters: readonly Parameter[]
  /** The read, without the parts that differ between requests. */
  readonly request: Pick<ReadRequest, 'type' | 'action' | 'kind' | 'query' | 'maxLimit'>
  /** The members of the field's value: `data` and `meta`. */
  readonly members: readonly NamedMember[]
  /** The form of `data` as the statement writes it; `undefined`: it is made from the answer of REST. */
  readonly layout: AnswerLayout | undefined
  /** The page of a list; `undefined` for one entry. */
  readonly page: Page | undefined
}

export interface NamedMember extends Member {
  /** The key as JSON, with the comma before it: `"data":`, then `,"meta":`. */
  readonly name: string
}

/** @throws OctavoError for arguments that do not fit */
export function compileRead(
  { kind, type, as }: EntryField,
  nodes: readonly FieldNode[],
  compiling: Compiling,
): CompiledRead {
  const values = argumentsOf(nodes, 'Query', compiling)
  const isList = kind === 'find'
  const page = isList ? pageOf(values.pagination, compiling.pages) : undefined
  const isPreview = values.publicationState === 'PREVIEW'
  let isCounted = false
  const meta = (name: string, given: readonly FieldNode[]): Shape | undefined => {
    if (!isList || name !== 'meta') return undefined
    const { shape, counts } = metaShape(given, compiling)
    isCounted ||= counts
    return shape
  }
  const place = new Place(type)
  const here = rootOf(place, isPreview ? 'preview' : 'live')
  const envelope = `${typeName(type)}EntityResponse${isList ? 'Collection' : ''}`
  const members = envelopeOf(nodes, type, envelope, here, compiling, meta)
  const parameters: readonly Parameter[] = [
    ...(page
      ? [...filterParameters(values.filters, type, compiling.registry), ...sortParameters(values.sort)]
      : []),
    ...(page ? pageParameters(page, isCounted) : []),
    ...(isPreview ? [[['publicationState'], 'preview'] as const] : []),
    ...(typeof values.locale === 'string' ? [[['locale'], values.locale] as const] : []),
  ]
  compiling.bounds.countParameters(parameters)
  const [row] = members.filter(({ from }) => from === 'data').map((member) => member.row)
  const isDirect = members.every(({ from, row }) => from !== 'data' || row)
  return {
    values,
    place,
    parameters,
    request: {
      type,
      action: as,
      kind: isList ? 'list' : 'one',
      query: queryString(place, parameters),
      ...(isList && { maxLimit: compiling.pages.amountLimit }),
    },
    members: members.map((member, i) => ({
      ...member,
      name: `${i === 0 ? '' : ','}${JSON.stringify(member.key)}:`,
    })),
    layout: row && isDirect ? layoutOf(row) : undefined,
    page,
  }
}

const pageParameters = ({ start, limit }: Page, isCounted: boolean): readonly Parameter[] => [
  [['pagination', 'start'], String(start)],
  [['pagination', 'limit'], String(limit)],
  [['pagination', 'withCount'], String(isCounted)],
]

function layoutOf(row: RowLayout): AnswerLayout {
  const text = JSON.stringify(row, (_name, value) => (value instanceof Map ? [...value] : value))
  return { key: createHash('sha256').update(text).digest('base64url'), row }
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
