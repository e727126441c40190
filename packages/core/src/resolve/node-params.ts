import { InvalidValue } from '../content-type/attribute-type.ts'
import { problem } from '../error/problems.ts'
import type { ParamPath, RawNode, RawValue } from '../parse/raw.ts'
import type { ParamReader } from '../plugin/param-reader.ts'

interface ParamValue {
  readonly value: unknown
  /** Whether the query has the parameter; else `value` is the default or that of the parent. */
  readonly given: boolean
}

/** The values of the declared parameters at a node, by name. */
export type NodeParams = ReadonlyMap<string, ParamValue>

type Readers = ReadonlyMap<string, ParamReader<unknown>>

/** @throws ValidationError `query/bad-parameter` */
export const rootParams = (readers: Readers, raw: Pick<RawNode, 'params'>): NodeParams =>
  new Map([...readers].map(([name, reader]) => [name, readParam(reader, raw.params.get(name))]))

/** The values at a child in `populate`, by the scope of each parameter. @throws ValidationError `query/bad-parameter` */
export function childParams(readers: Readers, raw: Pick<RawNode, 'params'>, parent: NodeParams): NodeParams {
  const params = new Map<string, ParamValue>()
  for (const [name, reader] of readers) {
    const scope = reader.scope ?? 'root'
    const own = scope === 'root' ? undefined : raw.params.get(name)
    const inherited = scope === 'own' ? undefined : parent.get(name)
    params.set(name, own === undefined && inherited ? inherited : readParam(reader, own))
  }
  return params
}

function readParam(
  reader: ParamReader<unknown>,
  raw: { readonly value: RawValue; readonly at: ParamPath } | undefined,
): ParamValue {
  if (raw === undefined) return { value: reader.default, given: false }
  try {
    return { value: reader.read(raw.value), given: true }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    const value = typeof raw.value === 'string' ? raw.value : JSON.stringify(raw.value)
    throw problem('query/bad-parameter', { at: raw.at, value, expected: error.message })
  }
}
