import { InvalidValue } from '../content-type/attribute-type.ts'
import { didYouMean } from '../content-type/nearest.ts'
import { problem } from '../error/problems.ts'
import type { ParamPath, RawNode, RawValue } from '../parse/raw.ts'
import { shown } from '../parse/value.ts'
import type { ParamReader } from '../plugin/param-reader.ts'
import type { ReportUnknownName } from '../unknown-names.ts'

interface ParamValue {
  readonly value: unknown
  /** Whether the query has the parameter; else `value` is the default or that of the parent. */
  readonly given: boolean
}

/** The values of the declared parameters at a node, by name. */
export type NodeParams = ReadonlyMap<string, ParamValue>

type Readers = ReadonlyMap<string, ParamReader<unknown>>

/** @throws ValidationError `query/bad-parameter` */
export const rootParams = (
  readers: Readers,
  raw: Pick<RawNode, 'params'>,
  unknownName: ReportUnknownName | undefined,
): NodeParams =>
  new Map([...readers].map(([name, reader]) => [name, readParam(reader, raw.params.get(name), unknownName)]))

/** The values at a child in `populate`, by the scope of each parameter. @throws ValidationError `query/bad-parameter` */
export function childParams(
  readers: Readers,
  raw: Pick<RawNode, 'params'>,
  parent: NodeParams,
  unknownName: ReportUnknownName | undefined,
): NodeParams {
  const params = new Map<string, ParamValue>()
  for (const [name, reader] of readers) {
    const scope = reader.scope ?? 'root'
    const own = scope === 'root' ? undefined : raw.params.get(name)
    const inherited = scope === 'own' ? undefined : parent.get(name)
    params.set(name, own === undefined && inherited ? inherited : readParam(reader, own, unknownName))
  }
  return params
}

function readParam(
  reader: ParamReader<unknown>,
  raw: { readonly value: RawValue; readonly at: ParamPath } | undefined,
  unknownName: ReportUnknownName | undefined,
): ParamValue {
  if (raw === undefined) return { value: reader.default, given: false }
  try {
    const value = reader.read(raw.value)
    const unknown = unknownName && reader.unknown?.(value)
    if (unknown) unknownName(() => unknownValue(raw.at, unknown))
    return { value, given: true }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    const value = typeof raw.value === 'string' ? raw.value : JSON.stringify(raw.value)
    throw problem('query/bad-parameter', { at: raw.at, value, expected: error.message })
  }
}

const unknownValue = (
  at: ParamPath,
  { name, known }: { readonly name: string; readonly known: readonly string[] },
) => problem('query/unknown-value', { at, name: shown(name), hint: didYouMean(name, known) })
