import type { Scratch } from '../scratch/scratch.ts'

/** The reason for which something of the source is not imported as it is. All but a `dangling link` refuse the import. */
export type ProblemKind =
  | 'unknown type'
  | 'unknown component'
  | 'doubled id'
  | 'value'
  | 'doubled value'
  | 'doubled email'
  | 'doubled locale'
  | 'dangling link'

export interface Problem {
  readonly kind: ProblemKind
  /** Uid of the content-type, or of the component. */
  readonly type: string
  readonly id: number
  /** A sentence without a period. */
  readonly message: string
}

export const problemTable =
  'create table problem (kind text not null, type text not null, id integer not null, message text not null)'

/**
 * Strapi leaves links of deleted entries and of deleted types in its tables, so every database in use has some. They
 * lead nowhere, so an import drops and lists them.
 */
const dropped = `kind = 'dangling link'`

/** The problems of the data. They are in the scratch database, since there may be many. */
export class Problems {
  readonly #scratch: Scratch
  #count = 0
  #dropped = 0

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  /** Number of problems that refuse the import. */
  get count(): number {
    return this.#count
  }

  /** Number of links that are dropped. */
  get droppedLinks(): number {
    return this.#dropped
  }

  add({ kind, type, id, message }: Problem): void {
    if (kind === 'dangling link') this.#dropped++
    else this.#count++
    this.#scratch.run('insert into problem values (?, ?, ?, ?)', kind, type, id, message)
  }

  /** The problems that refuse the import, in the order of types and ids. */
  all(limit = -1): Generator<Problem> {
    return this.#where(`not (${dropped})`, limit)
  }

  /** The dropped links, in the same order. */
  dropped(limit = -1): Generator<Problem> {
    return this.#where(dropped, limit)
  }

  *#where(condition: string, limit: number): Generator<Problem> {
    const rows = this.#scratch.iterate(
      `select kind, type, id, message from problem where ${condition} order by type, id, rowid limit ?`,
      limit,
    )
    for (const row of rows) yield row as unknown as Problem // the columns are those of a Problem
  }

  /** Number by kind of those that refuse the import. */
  counts(): Readonly<Record<string, number>> {
    const rows = this.#scratch.all(
      `select kind, count(*) as n from problem where not (${dropped}) group by kind order by kind`,
    )
    return Object.fromEntries(rows.map(({ kind, n }) => [String(kind), Number(n)]))
  }
}

/** `api::article.article 7: the link to …` */
export const problemLine = ({ type, id, message }: Problem): string => `${type} ${id}: ${message}.`
