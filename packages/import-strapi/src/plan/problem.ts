import type { Scratch } from '../scratch/scratch.ts'

/** Why something of the source cannot be imported as it is. */
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

/** The problems of the data. They are in the scratch database, since there may be many. */
export class Problems {
  readonly #scratch: Scratch
  #count = 0

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  get count(): number {
    return this.#count
  }

  add({ kind, type, id, message }: Problem): void {
    this.#count++
    this.#scratch.run('insert into problem values (?, ?, ?, ?)', kind, type, id, message)
  }

  /** In the order of types and ids. */
  *all(limit = -1): Generator<Problem> {
    const rows = this.#scratch.iterate(
      'select kind, type, id, message from problem order by type, id, rowid limit ?',
      limit,
    )
    for (const row of rows) yield row as unknown as Problem // the columns are those of a Problem
  }

  counts(): Readonly<Record<string, number>> {
    const rows = this.#scratch.all('select kind, count(*) as n from problem group by kind order by kind')
    return Object.fromEntries(rows.map(({ kind, n }) => [String(kind), Number(n)]))
  }
}

/** `api::article.article 7: the link to …` */
export const problemLine = ({ type, id, message }: Problem): string => `${type} ${id}: ${message}.`
