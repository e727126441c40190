/** The notations of a query string in which clients send one question. */
import fc from 'fast-check'

/** Parameters of a query string, not encoded. */
export type Parameters = readonly (readonly [name: string, value: string | number])[]

type Notation = (parameters: Parameters) => string

export const encoded = (parameters: Parameters): string =>
  parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')

/** `fields[]=a` for `fields[0]=a`. */
const withoutIndices: Notation = (parameters) =>
  encoded(parameters.map(([name, value]) => [name.replace(/\[\d+\]$/, '[]'), value]))

/** `fields=a&fields=b` for `fields[0]=a&fields[1]=b`. */
const repeated: Notation = (parameters) =>
  encoded(parameters.map(([name, value]) => [name.replace(/\[\d+\]$/, ''), value]))

/** As `URLSearchParams` and forms write it: brackets encoded, and a plus for a space. */
const ofForms: Notation = (parameters) =>
  new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString()

const careless: Notation = (parameters) => `&${encoded(parameters).replaceAll('&', '&&')}&`

/** Mostly the usual one. */
export const notation: fc.Arbitrary<Notation> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(encoded) },
  { weight: 3, arbitrary: fc.constantFrom(withoutIndices, repeated, ofForms, careless) },
)
