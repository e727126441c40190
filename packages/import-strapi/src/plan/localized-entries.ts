import type { ContentType } from '@octavo/core/plugin'
import type { Data } from '../records.ts'
import type { Scratch } from '../scratch/scratch.ts'
import type { Links } from './links.ts'
import { groupLocalizations, type LocalizedEntry } from './localizations.ts'

export const localizedTables = `
  create table localized (type integer, id integer, locale text, updated text, primary key (type, id)) without rowid;
  create table sibling (type integer, id integer, key integer, primary key (type, id)) without rowid;
  create index sibling_key on sibling (type, key);`

/** The entries of localized content-types, with their locale, until all links are read and the groups can be found. */
export class LocalizedEntries {
  readonly #scratch: Scratch
  readonly #links: Links
  readonly #defaultLocale: string

  constructor(scratch: Scratch, links: Links, defaultLocale: string) {
    this.#scratch = scratch
    this.#links = links
    this.#defaultLocale = defaultLocale
  }

  /** Records an entry; does nothing for a content-type without localizations. */
  add(type: ContentType, id: number, data: Data): void {
    if (type.attributes.get('localizations')?.kind !== 'relation') return
    this.#scratch.run(
      'insert into localized values (?, ?, ?, ?)',
      this.#scratch.number(type.uid),
      id,
      typeof data.locale === 'string' ? data.locale : this.#defaultLocale,
      typeof data.updatedAt === 'string' ? data.updatedAt : '',
    )
  }

  /**
   * Finds the groups of a content-type and writes their members into the table `sibling`.
   *
   * @param doubled Called for an entry that is not in its group, because the newer entry `other` has its locale.
   */
  group(type: ContentType, doubled: (id: number, other: number, locale: string) => void): void {
    const number = this.#scratch.number(type.uid)
    const [{ n: count } = { n: 0 }] = this.#scratch.all(
      'select count(*) as n from localized where type = ?',
      number,
    )
    if (count === 0) return
    const entries = this.#scratch.iterate(
      'select id, locale, updated as updatedAt from localized where type = ? order by id',
      number,
    ) as Iterable<unknown> as Iterable<LocalizedEntry> // the columns are those of a LocalizedEntry
    this.#scratch.batch(() => {
      this.#links.localizations(type.uid, (links) => {
        groupLocalizations(entries, Number(count), links, {
          member: (id, key) => this.#scratch.run('insert into sibling values (?, ?, ?)', number, id, key),
          doubled,
        })
      })
    })
  }
}
