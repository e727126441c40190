import { sql } from '@octavo/database'
import { InvalidValue, type ScalarType } from '../attribute-type.ts'

export const boolean: ScalarType = {
  kind: 'scalar',
  name: 'boolean',
  column: () => 'bool',
  parameter: 'bool',
  operators: ['any', 'ordered', 'prefix'],
  search: 'never',
  secret: false,
  check: () => [],
  emptyOperand: 'false',
  fromQuery: (text) => read(queryTexts, text),
  fromJson: (value) => (typeof value === 'boolean' ? value : read(bodyTexts, value)),
  constraints: () => [],
  toJson: (column) => column,
  toJsonText: (column) => sql`${column}::text`,
  toText: (column) => sql`${column}::text`,
}

/** In lower case; parsed in any case, since Python clients send `True`. */
const queryTexts = new Map([
  ['true', true],
  ['1', true],
  ['t', true],
  ['false', false],
  ['0', false],
  ['f', false],
])
/** The number 1 is parsed like its text; the list `[1]` is not, although `String` gives the same text. */
const bodyTexts = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function read(texts: ReadonlyMap<string, boolean>, given: unknown): boolean {
  const text = typeof given === 'number' || typeof given === 'string' ? String(given) : ''
  const value = texts.get(text.trim().toLowerCase())
  if (value === undefined) throw new InvalidValue('true or false')
  return value
}
