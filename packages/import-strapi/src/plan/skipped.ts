import type { Scratch } from '../scratch/scratch.ts'

export const skippedTables = `
  create table skipped (type integer, id integer, primary key (type, id)) without rowid;
  create table doubled (type integer, id integer, reading integer, primary key (type, id)) without rowid;`

/** Entries that are not imported: invalid ones, and all but the first one with an id. */
export class SkippedEntries {
  readonly #scratch: Scratch
  #hasInvalid = false
  #hasDoubled = false
  #readings = 0

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  addInvalid(type: string, id: number): void {
    this.#hasInvalid = true
    this.#scratch.run('insert or ignore into skipped values (?, ?)', this.#scratch.number(type), id)
  }

  /** Records that several entries have an id. */
  addDoubled(type: string, id: number): void {
    this.#hasDoubled = true
    this.#scratch.run('insert or ignore into doubled values (?, ?, 0)', this.#scratch.number(type), id)
  }

  isInvalid(type: string, id: number): boolean {
    if (!this.#hasInvalid) return false
    const number = this.#scratch.number(type)
    return this.#scratch.all('select 1 from skipped where type = ? and id = ?', number, id).length > 0
  }

  /** Starts a reading of the source. @returns whether an earlier entry of this reading had the same id. */
  repeats(): (type: string, id: number) => boolean {
    const reading = ++this.#readings
    return (type, id) => {
      if (!this.#hasDoubled) return false
      const number = this.#scratch.number(type)
      const [found] = this.#scratch.all('select reading from doubled where type = ? and id = ?', number, id)
      if (!found) return false
      this.#scratch.run('update doubled set reading = ? where type = ? and id = ?', reading, number, id)
      return found.reading === reading
    }
  }

  /** Number of invalid entries by content-type. */
  counts(): ReadonlyMap<string, number> {
    const rows = this.#scratch.all('select type, count(*) as n from skipped group by type')
    return new Map(rows.map(({ type, n }) => [this.#scratch.name(type), Number(n)]))
  }
}
