import { type Logger, type Octavo, type Queryable, sql } from '@octavo/core'
import { didYouMean } from '@octavo/core/internal'
import { type Channel, importItems, isId, type Registry, type SectionHandler } from '@octavo/core/plugin'
import { localeUid, localizedParts } from './content-type.ts'
import type { I18nOptions } from './options.ts'

/** The stored locales. */
export class Locales {
  readonly #options: I18nOptions
  #codes: readonly string[] = []
  #default: string
  /** The numbers of the reading that began last, and of the one whose result is in use. */
  #begun = 0
  #used = 0

  constructor(options: I18nOptions) {
    this.#options = options
    this.#default = options.defaultLocale ?? options.locales?.[0] ?? 'en'
  }

  get default(): string {
    return this.#default
  }

  /** All locales: the default first, the others in the order of creation. */
  get defaultFirst(): readonly string[] {
    return [this.#default, ...this.#codes.filter((code) => code !== this.#default)]
  }

  has(code: string): boolean {
    return this.#codes.includes(code)
  }

  /** Whether the options have a locale, which the next start would add again. */
  isConfigured(code: string): boolean {
    const { locales = [], defaultLocale } = this.#options
    return code === defaultLocale || locales.includes(code)
  }

  /** Adds missing locales of the options to the table, and reads it. */
  async start({ store, registry }: Octavo, logger: Logger): Promise<void> {
    const rows = store.rows<LocaleRow>(registry.contentType(localeUid))
    const hasDefault = (await rows.count({ isDefault: true })) > 0
    for (const code of new Set([...(this.#options.locales ?? []), this.#default]))
      await rows.insert(
        {
          code,
          name: nameOf(code),
          isDefault: !hasDefault && code === this.#default,
          createdAt: sql`now()`,
          updatedAt: sql`now()`,
        },
        { onConflict: 'ignore' },
      )
    await this.read(store, registry)
    const configured = this.#options.defaultLocale
    if (configured !== undefined && configured !== this.#default)
      logger.warn(
        { configured, stored: this.#default },
        `The default locale is "${this.#default}", as stored in the database; the option "${configured}" applies to an empty one only.`,
      )
  }

  /** Reads the locales of this process again. Of several readings at once, the one that began last wins: it knows of every change before it. */
  async read(db: Queryable, registry: Registry): Promise<void> {
    this.#begun += 1
    const number = this.#begun
    const rows = await db
      .rows<LocaleRow>(registry.contentType(localeUid))
      .find({ select: ['code', 'isDefault'], orderBy: { id: 'asc' } })
    if (number < this.#used) return
    this.#used = number
    this.#codes = rows.map(({ code }) => code)
    this.#default = rows.find(({ isDefault }) => isDefault)?.code ?? this.#default
  }
}

/** `French (fr)` */
export function nameOf(code: string): string {
  try {
    return `${new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code} (${code})`
  } catch {
    return code
  }
}

export interface LocaleRow {
  readonly id: number
  readonly name: string | null
  readonly code: string
  readonly isDefault: boolean | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

/** The section `locales` of a data file. An import replaces the stored locales. */
export const localesSection = (
  locales: Locales,
  octavo: () => Octavo,
  changes: Channel<null>,
): SectionHandler => ({
  types: [localeUid],
  keys: ['id', 'code', 'name', 'isDefault', 'createdAt', 'updatedAt'],
  import: async (items, tx) => {
    if (items.length === 0) return
    const { registry } = octavo()
    const rows = tx.rows<LocaleRow>(registry.contentType(localeUid))
    await rows.delete({ where: {} })
    const numbered = items.map((item, i) => ({ id: i + 1, ...(item as Partial<LocaleRow>) }))
    let firstDefault: string | undefined
    await importItems('locales', numbered, rows, async (item, at) => {
      const { id, code, name, isDefault, createdAt, updatedAt } = readLocale(item, at)
      if (isDefault === true) {
        if (firstDefault !== undefined)
          throw new Error(`${at}.isDefault: ${firstDefault} is the default locale, and there is one`)
        firstDefault = at
      }
      await rows.insert({
        id,
        code,
        name: name ?? nameOf(code),
        isDefault: isDefault === true,
        createdAt: createdAt ?? sql`now()`,
        updatedAt: updatedAt ?? sql`now()`,
      })
    })
    // Later sections of the import use them in this process.
    await locales.read(tx, registry)
    await changes.publish(null, tx)
  },
  // Such entries are imported: tables of Strapi may have them, and a backup is restored as it was.
  checkEntries: async (uid, ids, tx) => {
    const { registry, logger } = octavo()
    const type = registry.contentType(uid)
    if (!localizedParts(type)) return
    const entries = await tx
      .rows<{ readonly id: number; readonly locale: string | null }>(type)
      .find({ where: { id: ids }, select: ['id', 'locale'], orderBy: { id: 'asc' } })
    const known = await tx.rows<LocaleRow>(registry.contentType(localeUid)).find({ select: ['code'] })
    const codes = new Set(known.map(({ code }) => code))
    for (const [locale, [first]] of Map.groupBy(entries, (entry) => entry.locale))
      if (locale !== null && !codes.has(locale))
        logger.warn(
          { type: uid, entry: first?.id },
          `Imported entries are in the locale "${locale}", which does not exist${didYouMean(locale, codes, '.')} Add it to the option "locales" of i18n, or to the section "locales" of the data file`,
        )
  },
  // An import that was undone has stored no locales.
  ended: () => locales.read(octavo().store, octavo().registry),
  export: (tx) =>
    tx.rows<LocaleRow>(octavo().registry.contentType(localeUid)).find({
      select: ['id', 'name', 'code', 'isDefault', 'createdAt', 'updatedAt'],
      orderBy: { id: 'asc' },
    }),
})

/** @throws Error with the place and the expected value, also for one that the database would change. */
function readLocale(
  item: Partial<LocaleRow>,
  at: string,
): Partial<LocaleRow> & Pick<LocaleRow, 'id' | 'code'> {
  const { id, code, name, isDefault, createdAt, updatedAt } = item
  if (typeof code !== 'string' || code === '') throw new Error(`${at}: expected a "code" such as "en".`)
  if (!isId(id)) throw new Error(`${at}.id must be a whole number from 1`)
  if (typeof (name ?? '') !== 'string') throw new Error(`${at}.name must be a text`)
  if (typeof (isDefault ?? false) !== 'boolean') throw new Error(`${at}.isDefault must be true or false`)
  for (const time of [createdAt, updatedAt])
    if (time != null && (typeof time !== 'string' || Number.isNaN(Date.parse(time))))
      throw new Error(`${at}: expected times such as "2026-01-31T12:00:00.000Z".`)
  return { ...item, id, code }
}
