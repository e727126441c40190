import { createReadStream } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import path from 'node:path'
import { isObject, sessionSettings, whyUnreachable } from '@octavo/core/internal'
import { Client } from 'pg'
import { whyLeftBehind } from '../../model/uids.ts'
import type { CreatorRecord, EntityRecord, LinkRecord, Schema } from '../../records.ts'
import { isSchema } from '../schema.ts'
import type { Outline, Source, SourceFile } from '../source.ts'
import { SourceError } from '../source-error.ts'
import { Catalog } from './catalog.ts'
import { readCreators, readEditors } from './editors.ts'
import { type DatabaseModel, EntityReader } from './entities.ts'
import { inferComponents, withTable } from './infer-components.ts'
import { readLinks } from './links.ts'
import { countLeftBehind, readApiTokens, readSettings, readWebhooks } from './settings.ts'

export interface PostgresSourceOptions {
  /** The folder `public/uploads` of the project. Default: files do not come. */
  readonly uploads?: string
  /** The schema that the tables are in. Default: the connection's own. */
  readonly schema?: string
  /** The zone that the project's server ran in, for its columns have none: `Europe/Paris`. Default `UTC`. */
  readonly timeZone?: string
  /** Schemas of components, for the database has none. Default: they are inferred from its tables. */
  readonly components?: readonly Schema[]
}

/** Files are copied late, and a mistake in the name of their folder is found before anything is written. */
async function checkFolder(uploads: string | undefined): Promise<void> {
  if (uploads === undefined) return
  const found = await stat(uploads).catch(() => undefined)
  if (!found?.isDirectory()) throw new SourceError(`There is no folder of files ${uploads}.`)
}

/** A Strapi database, read as it is at one moment. Nothing is written to it. */
export class PostgresSource implements Source {
  readonly name: string
  readonly #client: Client
  readonly #options: PostgresSourceOptions
  #model: DatabaseModel | undefined
  #outline: Outline | undefined

  private constructor(name: string, client: Client, options: PostgresSourceOptions) {
    this.name = name
    this.#client = client
    this.#options = options
  }

  /** @throws SourceError when the database cannot be reached, or is not Strapi's, or when there is no folder of files. */
  static async open(url: string, options: PostgresSourceOptions = {}): Promise<PostgresSource> {
    await checkFolder(options.uploads)
    const name = withoutPassword(url)
    const client = await connected(url).catch((error: unknown) => {
      throw new SourceError(`${name} cannot be reached: ${whyUnreachable(error)}.`, error)
    })
    const source = new PostgresSource(name, client, options)
    try {
      const limits = ['statement_timeout', 'idle_in_transaction_session_timeout']
      await client.query([...sessionSettings, ...limits.map((name) => `set ${name} to 0`)].join('; '))
      if (options.schema !== undefined)
        await client.query(`select set_config('search_path', quote_ident($1), false)`, [options.schema])
      await source.#checkTimeZone()
      await client.query('begin isolation level repeatable read, read only')
      await source.outline()
      return source
    } catch (error) {
      await client.end()
      throw error instanceof SourceError ? error : unreadable(source.name, error)
    }
  }

  /** PostgreSQL reads an offset such as `+02:00` with the opposite sign, so that only names are accepted. */
  async #checkTimeZone(): Promise<void> {
    const { timeZone } = this.#options
    if (timeZone === undefined) return
    const { rowCount } = await this.#client.query(
      'select 1 from pg_timezone_names where lower(name) = lower($1)',
      [timeZone],
    )
    if (rowCount === 0)
      throw new SourceError(`"${timeZone}" is not the name of a time zone, such as Europe/Paris.`)
  }

  async outline(): Promise<Outline> {
    this.#outline ??= await this.#readOutline()
    return this.#outline
  }

  async #readOutline(): Promise<Outline> {
    const client = this.#client
    const { timeZone = 'UTC', components, schema } = this.#options
    const catalog = await Catalog.read(client)
    if (!catalog.has('strapi_core_store_settings', 'key')) {
      const where = schema === undefined ? '' : ` in the schema "${schema}"`
      throw new SourceError(
        `${this.name} has no table strapi_core_store_settings${where}: it is no database of Strapi 4, or its tables are in another schema.`,
      )
    }
    if (catalog.has('strapi_migrations_internal', 'name')) await this.#refuseVersionFive()
    const settings = await readSettings(client)
    const stored = settings.find(({ key }) => key === 'strapi_content_types_schema')?.value
    if (!isObject(stored))
      throw new SourceError(`${this.name} has no content-types in strapi_core_store_settings.`)
    const contentTypes = Object.entries(stored).map(([uid, given]): Schema => {
      const schema: unknown = isObject(given) && { ...given, uid, modelType: 'contentType' }
      if (isSchema(schema)) return schema
      throw new SourceError(
        `${this.name}: ${uid} has no "attributes" that are objects in strapi_core_store_settings.`,
      )
    })
    const inferred = components
      ? { schemas: components.map((component) => withTable(component, catalog)), notes: [] }
      : await inferComponents(client, catalog, settings, contentTypes)
    const schemas = [...contentTypes, ...inferred.schemas]
    this.#model = { schemas: new Map(schemas.map((schema) => [schema.uid, schema])), catalog, timeZone }
    const editors = await readEditors(client, catalog)
    return {
      version: undefined,
      schemas,
      settings,
      apiTokens: await readApiTokens(client, catalog),
      webhooks: await readWebhooks(client, catalog),
      ...(editors && { editors }),
      leftBehind: await countLeftBehind(client, catalog),
      notes: inferred.notes,
    }
  }

  /**
   * Version 5 has a row for the draft of an entry and one for what is published of it, and other link tables: as version 4, each entry would
   * come twice and without its links. Its first start changes a database of version 4 so, and notes the migrations.
   */
  async #refuseVersionFive(): Promise<void> {
    const { rowCount } = await this.#client.query(
      `select 1 from strapi_migrations_internal where name like '5.%' limit 1`,
    )
    if (rowCount !== 0)
      throw new SourceError(
        `${this.name} is a database of Strapi 5, or one of Strapi 4 that Strapi 5 was started on; only version 4 can be imported. A backup from before that start can be.`,
      )
  }

  async *entities(): AsyncGenerator<readonly EntityRecord[]> {
    const model = await this.#opened()
    const reader = new EntityReader(this.#client, model)
    for (const schema of model.schemas.values()) {
      if (schema.modelType === 'contentType' && whyLeftBehind(schema.uid) === undefined)
        yield* named(schema, reader.read(schema))
    }
  }

  async *links(): AsyncGenerator<readonly LinkRecord[]> {
    const model = await this.#opened()
    for (const schema of model.schemas.values()) {
      if (whyLeftBehind(schema.uid) === undefined)
        yield* named(schema, readLinks(this.#client, model, schema))
    }
  }

  async *creators(): AsyncGenerator<readonly CreatorRecord[]> {
    const { schemas, catalog } = await this.#opened()
    for (const schema of schemas.values())
      if (schema.modelType === 'contentType' && whyLeftBehind(schema.uid) === undefined)
        yield* named(schema, readCreators(this.#client, catalog, schema))
  }

  async *files(): AsyncGenerator<SourceFile> {
    const { uploads } = this.#options
    if (uploads === undefined) return
    for await (const entry of await opendir(uploads)) {
      if (!entry.isFile() || entry.name.startsWith('.')) continue
      const file = path.join(uploads, entry.name)
      const { size } = await stat(file)
      yield { name: entry.name, size, open: () => createReadStream(file) }
    }
  }

  async close(): Promise<void> {
    await this.#client.query('rollback').catch(() => {})
    await this.#client.end()
  }

  async #opened(): Promise<DatabaseModel> {
    await this.outline()
    if (!this.#model) throw new Error('The outline was not read.')
    return this.#model
  }
}

const unreadable = (what: string, error: unknown): SourceError =>
  new SourceError(`${what} cannot be read: ${(error as Error).message}.`, error)

/** The rows of a type. An error of PostgreSQL tells a column at most. */
async function* named<T>({ uid }: Schema, rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows
  } catch (error) {
    throw unreadable(`${uid} in the database`, error)
  }
}

/** The client reads the URL when it is made, and throws for one that it cannot read. */
async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'octavo import' })
  // A connection that breaks between two statements fails the next one. Without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    // After a failed handshake the connection is open, and the process would not end.
    void client.end().catch(() => {})
    throw error
  }
  return client
}

function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url)
    if (parsed.password) parsed.password = '***'
    return parsed.href
  } catch {
    return 'the database'
  }
}
