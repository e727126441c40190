import { type ContentType, isId, type Registry } from '@octavo/core/plugin'
import {
  folderUid,
  isEntryType,
  localeUid,
  permissionUid,
  roleUid,
  userUid,
  whyLeftBehind,
} from '../model/uids.ts'
import type { Data, EntityRecord } from '../records.ts'
import { Scratch } from '../scratch/scratch.ts'
import type { Outline, Source } from '../source/source.ts'
import { checkShape } from './check-shape.ts'
import { checkValues } from './check-values.ts'
import { entryValues, type ValueContext } from './entry-values.ts'
import { Folders, folderTable } from './folders.ts'
import { countOne, Links, linkTables } from './links.ts'
import { LocalizedEntries, localizedTables } from './localized-entries.ts'
import { type Problem, Problems, problemTable } from './problem.ts'
import { readLocale, readRole, sectionProblems, wrongAction } from './section-rows.ts'
import { SkippedEntries, skippedTables } from './skipped.ts'
import { UniqueValues, uniqueTable } from './unique.ts'

const tables = `
  create table entity (type integer, id integer, primary key (type, id)) without rowid;
  create table component (type integer, id integer, primary key (type, id)) without rowid;
  ${localizedTables}
  ${uniqueTable}
  ${skippedTables}
  ${folderTable};
  ${linkTables}
  ${problemTable};`

/** Rows that become sections of a data file. There are few of them. */
export interface SmallRows {
  readonly roles: EntityRecord[]
  readonly permissions: EntityRecord[]
  readonly locales: EntityRecord[]
}

/** The result of reading a source once, before anything is written. */
export interface Scan {
  readonly scratch: Scratch
  readonly problems: Problems
  readonly links: Links
  readonly small: SmallRows
  readonly values: ValueContext
  readonly folders: Folders
  /** Entries by type, of all types that the source has. */
  readonly counts: ReadonlyMap<string, number>
  /** Highest id of the components, by uid. */
  readonly componentIds: ReadonlyMap<string, number>
  /** Rows with a value of an attribute that the definitions do not have, by attribute. */
  readonly attributesLeftOut: ReadonlyMap<string, number>
  /** Entries that `--skip-invalid` leaves out. */
  readonly skipped: SkippedEntries
  close(): void
}

/** Reads a whole source once and checks it against the definitions. */
export async function scan(
  source: Source,
  outline: Outline,
  registry: Registry,
  onProgress: (done: number, label: string) => void = () => {},
): Promise<Scan> {
  const scratch = new Scratch(tables)
  try {
    const run = new Scanner(scratch, registry, outline)
    for await (const batch of source.entities()) {
      scratch.batch(() => {
        for (const record of batch) run.add(record)
      })
      onProgress(run.done, batch.at(-1)?.type ?? '')
    }
    for await (const batch of source.links()) run.links.add(batch)
    for (const problem of sectionProblems(outline, registry)) run.addProblem(problem)
    return run.finish()
  } catch (error) {
    scratch.close()
    throw error
  }
}

class Scanner {
  readonly #scratch: Scratch
  readonly #registry: Registry
  readonly #problems: Problems
  readonly #folders: Folders
  readonly #values: ValueContext
  readonly #small: SmallRows = { roles: [], permissions: [], locales: [] }
  readonly #counts = new Map<string, number>()
  readonly #componentIds = new Map<string, number>()
  readonly #attributesLeftOut = new Map<string, number>()
  readonly #skipped: SkippedEntries
  readonly #unique: UniqueValues
  readonly #localized: LocalizedEntries
  readonly links: Links
  done = 0

  constructor(scratch: Scratch, registry: Registry, outline: Outline) {
    this.#scratch = scratch
    this.#registry = registry
    this.#problems = new Problems(scratch)
    this.#folders = new Folders(scratch)
    this.#skipped = new SkippedEntries(scratch)
    const locale = defaultLocale(outline)
    this.#values = { registry, folderOf: (file) => this.#folders.pathOf(file), defaultLocale: locale }
    this.links = new Links(scratch, registry, this.#problems, this.#folders)
    this.#unique = new UniqueValues(scratch, locale)
    this.#localized = new LocalizedEntries(scratch, this.links, locale)
  }

  add(record: EntityRecord): void {
    const { type: uid, id, data } = record
    this.done++
    this.#counts.set(uid, (this.#counts.get(uid) ?? 0) + 1)
    if (uid === folderUid) this.#folders.addFolder(id, data)
    if (uid === roleUid && isId(id)) this.#small.roles.push(readRole(record))
    else if (uid === localeUid && isId(id)) this.#addLocale(record)
    else if (uid === permissionUid) this.#addPermission(record)
    if (uid === folderUid || uid === permissionUid || whyLeftBehind(uid) !== undefined) return
    const type = this.#registry.contentTypes.get(uid)
    if (!type) {
      this.#problem('unknown type', uid, id, 'the definitions have no such content-type', false)
      return
    }
    if (!isId(id)) {
      this.#problem('value', uid, id, '"id" must be a whole number from 1 to 2147483647')
      return
    }
    const isNew = this.#scratch.run(
      'insert or ignore into entity values (?, ?)',
      this.#scratch.number(uid),
      id,
    )
    if (isNew === 0) {
      this.#skipped.addDoubled(uid, id)
      this.#problem('doubled id', uid, id, 'there are two entries with this id', false)
    } else if (isEntryType(uid)) this.#check(type, id, data)
  }

  /** Records a problem of a row that is left out by `--skip-invalid`. */
  readonly addProblem = ({ kind, type, id, message }: Problem): void => this.#problem(kind, type, id, message)

  #addPermission(record: EntityRecord): void {
    const { action } = record.data
    if (typeof action !== 'string') return // it allows nothing
    const wrong = wrongAction(action)
    if (wrong === undefined) this.#small.permissions.push(record)
    else this.#problem('value', permissionUid, record.id, wrong)
  }

  /** Codes of locales are unique in Strapi's panel only. */
  #addLocale(record: EntityRecord): void {
    const { code } = record.data
    const first = this.#small.locales.find(({ data }) => data.code === code)
    if (typeof code !== 'string' || code === '')
      this.#problem('value', localeUid, record.id, '"code" must be a text')
    else if (first)
      this.#problem(
        'doubled value',
        localeUid,
        record.id,
        `"code" is ${JSON.stringify(code)}, which ${first.id} has too and must be unique`,
      )
    else this.#small.locales.push(readLocale(record))
  }

  #check(type: ContentType, id: number, data: Data): void {
    checkShape(type, data, this.#registry, {
      wrong: ({ path, message }) => this.#problem('value', type.uid, id, `"${path}" ${message}`),
      unknown: ({ path, message }) =>
        this.#problem('unknown component', type.uid, id, `"${path}" ${message}`, false),
      leftOut: (attribute) => countOne(this.#attributesLeftOut, attribute),
    })
    const values = entryValues(type, id, data, this.#values)
    const wrong = checkValues(type, values, this.#registry, (uid, component) => this.#seen(uid, component))
    for (const { path, message } of wrong) this.#problem('value', type.uid, id, `"${path}" ${message}`)
    this.#unique.add(type, id, values)
    this.#localized.add(type, id, data)
  }

  #seen(uid: string, id: number): boolean {
    this.#componentIds.set(uid, Math.max(this.#componentIds.get(uid) ?? 0, id))
    return (
      this.#scratch.run('insert or ignore into component values (?, ?)', this.#scratch.number(uid), id) > 0
    )
  }

  /** @param invalid Whether the entry as a whole is left out by `--skip-invalid`. */
  #problem(
    kind: Parameters<Problems['add']>[0]['kind'],
    type: string,
    id: number,
    message: string,
    invalid = true,
  ): void {
    this.#problems.add({ kind, type, id, message })
    if (invalid) this.#skipped.addInvalid(type, id)
  }

  finish(): Scan {
    for (const { attribute, id, value, first } of this.#unique.repeated()) {
      const email = attribute.type === userUid && attribute.name === 'email'
      this.#problem(
        email ? 'doubled email' : 'doubled value',
        attribute.type,
        id,
        email
          ? `the email ${JSON.stringify(value)} is also that of user ${first}, without regard to case`
          : `"${attribute.name}" is ${JSON.stringify(value)}, which ${first} has too and must be unique`,
      )
    }
    this.#unique.close()
    this.links.finish()
    for (const type of this.#registry.contentTypes.values()) {
      this.#localized.group(type, (id, other, locale) =>
        this.#problem(
          'doubled locale',
          type.uid,
          id,
          `is a localization in "${locale}" of an entry that has ${other} in this locale, which is newer`,
          false,
        ),
      )
    }
    return {
      scratch: this.#scratch,
      problems: this.#problems,
      links: this.links,
      small: this.#small,
      values: this.#values,
      folders: this.#folders,
      counts: this.#counts,
      componentIds: this.#componentIds,
      attributesLeftOut: this.#attributesLeftOut,
      skipped: this.#skipped,
      close: () => this.#scratch.close(),
    }
  }
}

/** The locale of entries that have none. */
export function defaultLocale({ settings }: Outline): string {
  const value = settings.find(({ key }) => key === 'plugin_i18n_default_locale')?.value
  return typeof value === 'string' ? value : 'en'
}
