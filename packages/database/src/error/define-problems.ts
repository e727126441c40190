import type { ErrorClass, ErrorDetails, Mistake, OctavoError } from './octavo-error.ts'

/** A kind of error of a request. `D` is the type of the details that its message uses. */
export interface ProblemRow<D> {
  /** The class, which defines status and name of the response. */
  readonly error: ErrorClass
  /** Selects the class by the details; `error` is then the default. */
  readonly errorFor?: (details: D) => ErrorClass
  /** The message for clients: the place, the given value, and a valid one. */
  readonly message: string | ((details: D) => string)
  /** The cause, for docs/errors.md. Default: the message for `example`. */
  readonly when?: string
  /** The details of the message that docs/errors.md shows. */
  readonly example?: NoInfer<D>
}

/** The rows of a table, for documentation. */
export type ProblemRows = Readonly<Record<string, ProblemRow<never>>>

/** Further properties of an error. */
export interface ProblemExtra {
  /** The envelope's `details`. Default `{}`. */
  readonly details?: ErrorDetails
  /** The original error, for the log. */
  readonly cause?: unknown
}

/** The details are optional if the message uses none. */
type Arguments<D> =
  Record<never, never> extends D ? [details?: D, extra?: ProblemExtra] : [details: D, extra?: ProblemExtra]

/** Creates the error for a code of a table. */
export interface Problems<D extends Readonly<Record<string, unknown>>> {
  <C extends keyof D & string>(code: C, ...rest: Arguments<D[C]>): OctavoError
  readonly rows: ProblemRows
}

/**
 * A table of errors, by code. A code never changes its meaning and is never reused; clients receive it as
 * `error.details.code`. Each package has one table; a code that several packages use is a row of the package below them.
 *
 *     const problem = defineProblems({
 *       'tenant/unknown': { error: UnauthorizedError, message: (d: { name: string }) => `There is no tenant "${d.name}".` },
 *     })
 *     throw problem('tenant/unknown', { name: 'nobody' })
 */
export function defineProblems<D extends Readonly<Record<string, unknown>>>(
  rows: {
    readonly [C in keyof D]: ProblemRow<D[C]>
  },
): Problems<D> {
  const make = <C extends keyof D & string>(code: C, ...[details, extra]: Arguments<D[C]>): OctavoError => {
    const row: ProblemRow<D[C]> = rows[code]
    // Details are absent only if the message and the class use none.
    const given = withShortTexts(details ?? {}) as D[C]
    const ErrorOfRow = row.errorFor?.(given) ?? row.error
    const message = typeof row.message === 'string' ? row.message : row.message(given)
    return new ErrorOfRow(code, message, withShortTexts(extra?.details ?? {}), extra?.cause)
  }
  // A row of any details is read as one whose details are not known.
  return Object.assign(make, { rows: rows as unknown as ProblemRows })
}

/** Characters of a text of a request in a message. */
const most = 2_000

const beginningOf = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** The details of an error, with the beginnings of long texts: an answer with many errors would repeat a long value in each. */
const withShortTexts = (details: object): ErrorDetails =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => {
      if (typeof value === 'string') return [name, beginningOf(value)]
      if (name === 'errors' && Array.isArray(value)) return [name, value.map(withShortMessage)]
      return [name, value]
    }),
  )

const withShortMessage = (one: Mistake): Mistake => ({
  ...one,
  path: one.path.map(beginningOf),
  message: beginningOf(one.message),
})

/** The message of a problem that several places describe in words of their own. */
export const asGiven = ({ message }: { readonly message: string }): string => message
