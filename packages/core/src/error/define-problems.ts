import type { ErrorClass, ErrorDetails, OctavoError } from './octavo-error.ts'

/** One thing that can go wrong in a request. `D` is what its message needs to know. */
export interface ProblemRow<D> {
  /** Its status and name are those of the answer. */
  readonly error: ErrorClass
  /** The class where it depends on the details; `error` is then the usual one. */
  readonly errorFor?: (details: D) => ErrorClass
  /** Says where, what came and what would be right. Clients see it. */
  readonly message: string | ((details: D) => string)
  /** When it happens, for docs/errors.md. Default: the message, for `example`. */
  readonly when?: string
  /** Details with which the message is printed in docs/errors.md. */
  readonly example?: NoInfer<D>
}

/** The rows of a table, as documentation reads them. */
export type ProblemRows = Readonly<Record<string, ProblemRow<never>>>

/** What an error carries besides its code and message. */
export interface ProblemExtra {
  /** The envelope's `details`. Default `{}`. */
  readonly details?: ErrorDetails
  /** The error behind it, for the log. */
  readonly cause?: unknown
}

/** Details may be left out where the message needs none. */
type Arguments<D> =
  Record<never, never> extends D ? [details?: D, extra?: ProblemExtra] : [details: D, extra?: ProblemExtra]

/** Makes the error for a code of a table. */
export interface Problems<D extends Readonly<Record<string, unknown>>> {
  <C extends keyof D & string>(code: C, ...rest: Arguments<D[C]>): OctavoError
  readonly rows: ProblemRows
}

/**
 * A table of what can go wrong, by code. A code never changes its meaning and is never used again for another one; it
 * reaches the client as `error.details.code`. Each package has one table; a code that several packages use is a row of
 * the package below them.
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
    // Details are left out only where the message and the class need none.
    const given = (details ?? {}) as D[C]
    const ErrorOfRow = row.errorFor?.(given) ?? row.error
    const message = typeof row.message === 'string' ? row.message : row.message(given)
    return new ErrorOfRow(code, message, extra?.details ?? {}, extra?.cause)
  }
  // A row of any details is read as one whose details are not known.
  return Object.assign(make, { rows: rows as unknown as ProblemRows })
}

/** The message of a problem that several places describe in words of their own. */
export const asGiven = ({ message }: { readonly message: string }): string => message
