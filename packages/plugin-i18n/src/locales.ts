import type { Logger, SectionHandler, Store, Transaction } from '@octavo/core'
import { localeTable, localeUid } from './content-type.ts'
import type { I18nOptions } from './options.ts'

/** The locales that exist, as the table has them. */
export class Locales {
  readonly #options: I18nOptions
  #codes: readonly string[] = []
  #default: string

  constructor(options: I18nOptions) {
    this.#options = options
    this.#default = options.defaultLocale ?? options.locales?.[0] ?? 'en'
  }

  get default(): string {
    return this.#default
  }

  /** All, the others in the order in which they came. */
  get defaultFirst(): readonly string[] {
    return [this.#default, ...this.#codes.filter((code) => code !== this.#default)]
  }

  has(code: string): boolean {
    return this.#codes.includes(code)
  }

  /** Adds the locales of the options to the table where they are missing, and reads it. */
  async start(store: Store, logger: Logger): Promise<void> {
    const codes = new Set([...(this.#options.locales ?? []), this.#default])
    const [any] = await store.query(`select 1 from "${localeTable}" where "is_default" limit 1`)
    for (const code of codes) {
      await store.query(
        `insert into "${localeTable}" ("code", "name", "is_default", "created_at", "updated_at") values ($1, $2, $3, now(), now()) on conflict ("code") do nothing`,
        [code, nameOf(code), !any && code === this.#default],
      )
    }
    await this.read(store)
    const configured = this.#options.defaultLocale
    if (configured !== undefined && configured !== this.#default)
      logger.warn(
        { configured, stored: this.#default },
        `The default locale is "${this.#default}", as the database says; the option says "${configured}", which counts for an empty one.`,
      )
    // Another process may import others.
    await store.listen(channel, () => {
      this.read(store).catch((error: unknown) =>
        logger.error({ err: error }, 'The locales could not be read'),
      )
    })
  }

  async read(tx: Transaction): Promise<void> {
    const rows = await tx.query(`select "code", "is_default"::text from "${localeTable}" order by "id"`)
    this.#codes = rows.map(([code]) => String(code))
    const marked = rows.find(([, isDefault]) => isDefault === 'true')
    if (marked) this.#default = String(marked[0])
  }
}

const channel = 'octavo_i18n'

/** Has every process, this one too, read the locales anew once the transaction is committed. */
export const announce = async (tx: Pick<Transaction, 'query'>): Promise<void> =>
  void (await tx.query('select pg_notify($1, $2)', [channel, '']))

/** `French (fr)` */
function nameOf(code: string): string {
  try {
    return `${new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code} (${code})`
  } catch {
    return code
  }
}

interface LocaleItem {
  readonly id: number
  readonly name: string | null
  readonly code: string
  readonly isDefault: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

/** The section `locales` of a data file. It says which locales there are: those that were there go. */
export const localesSection = (locales: Locales): SectionHandler => ({
  types: [localeUid],
  import: async (items, tx) => {
    if (items.length === 0) return
    await tx.query(`delete from "${localeTable}"`)
    for (const [i, item] of items.entries()) {
      const { id = i + 1, code, name, isDefault, createdAt, updatedAt } = item as Partial<LocaleItem>
      if (typeof code !== 'string' || code === '')
        throw new Error(`locales[${i}]: expected a "code" such as "en".`)
      await tx.query(
        `insert into "${localeTable}" ("id", "code", "name", "is_default", "created_at", "updated_at") values ($1, $2, $3, $4, coalesce($5::timestamptz, now()), coalesce($6::timestamptz, now()))`,
        [id, code, name ?? nameOf(code), isDefault === true, createdAt ?? null, updatedAt ?? null],
      )
    }
    await tx.query(
      `select setval(pg_get_serial_sequence('${localeTable}', 'id'), (select max("id") from "${localeTable}"))`,
    )
    // Those that follow in this process need them at once.
    await locales.read(tx)
    await announce(tx)
  },
  export: async (tx) => {
    const text = `json_build_object('id', "id", 'name', "name", 'code', "code", 'isDefault', "is_default", 'createdAt', "created_at", 'updatedAt', "updated_at")::text`
    const rows = await tx.query(`select ${text} from "${localeTable}" order by "id"`)
    return rows.map(([item]) => JSON.parse(String(item)) as unknown)
  },
})
