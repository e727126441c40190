/** The longest text that is parsed: more digits than any column has, few enough for BigInt. */
const maxLength = 400

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/** Whether a text is a number in decimal notation: `12`, `-0.5`, `.5`, `1e3`. Linear time; not `0x1f`, `1_000`, `Infinity`. */
export const isDecimalText = (text: string): boolean => parse(text) !== undefined

interface DecimalParts {
  readonly negative: boolean
  /** All digits, without the point. */
  readonly digits: string
  /** The power of ten of the last digit. */
  readonly exponent: number
}

function parse(text: string): DecimalParts | undefined {
  const match = text.length <= maxLength ? pattern.exec(text) : null
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', power = '0'] = match
  const digits = whole + fraction
  return digits === ''
    ? undefined
    : { negative: sign === '-', digits, exponent: Number(power) - fraction.length }
}

/** A number in the notation of PostgreSQL's `numeric`: `1.50` → `1.50`, `+1e3` → `1000`. */
export function toNumeric(text: string): string | undefined {
  const parts = parse(text)
  return parts && print(parts.negative, BigInt(parts.digits), parts.exponent)
}

/**
 * The number in hundredths, halves away from zero as PostgreSQL rounds: `12.345` → 1235n, `-0.005` → -1n.
 * `undefined` when it is not a number.
 */
export function toHundredths(text: string): bigint | undefined {
  const parts = parse(text)
  if (!parts) return undefined
  const shift = parts.exponent + 2
  const digits = BigInt(parts.digits)
  const absolute = shift >= 0 ? digits * 10n ** BigInt(shift) : roundedQuotient(digits, 10n ** BigInt(-shift))
  return parts.negative ? -absolute : absolute
}

/** `1235n` → `12.35` */
export const fromHundredths = (hundredths: bigint): string =>
  print(hundredths < 0n, hundredths < 0n ? -hundredths : hundredths, -2)

const roundedQuotient = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b)

function print(negative: boolean, digits: bigint, exponent: number): string {
  const text =
    exponent >= 0 ? String(digits) + '0'.repeat(exponent) : String(digits).padStart(1 - exponent, '0')
  const point = exponent >= 0 ? text.length : text.length + exponent
  const number = point === text.length ? text : `${text.slice(0, point)}.${text.slice(point)}`
  return negative && digits !== 0n ? `-${number}` : number
}
