/** A PostgreSQL cluster of its own, in a temporary folder, which faults may be done to. */
import { existsSync, globSync } from 'node:fs'
import { appendFile, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { privateMemory } from './process-figures.ts'
import { type Identity, run } from './run-program.ts'
import { SmallDisk } from './small-disk.ts'

/** The folder of `initdb` and `pg_ctl`: `OCTAVO_POSTGRES_BIN`, or the newest of Debian's; `undefined`: there is none. */
export const postgresPrograms: string | undefined = [
  process.env.OCTAVO_POSTGRES_BIN,
  ...globSync('/usr/lib/postgresql/*/bin').toSorted((one, other) => versionOf(other) - versionOf(one)),
].find((folder) => folder !== undefined && existsSync(join(folder, 'initdb')))

function versionOf(folder: string): number {
  return Number(/\/(\d+)\/bin$/.exec(folder)?.[1])
}

/** PostgreSQL refuses to run as root; Debian's packages bring a user for it. */
export async function identity(): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).output)
  return { uid: await id('-u'), gid: await id('-g') }
}

export class PostgresCluster {
  readonly folder: string
  readonly port: number
  readonly #identity: Identity | undefined

  private constructor(folder: string, port: number, identity: Identity | undefined) {
    this.folder = folder
    this.port = port
    this.#identity = identity
  }

  /**
   * A new cluster, which runs.
   * @param settings Lines of `postgresql.conf`.
   */
  static async create(settings: readonly string[] = []): Promise<PostgresCluster> {
    const cluster = await PostgresCluster.#empty()
    await cluster.#run('initdb', [
      '-D',
      cluster.folder,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale',
      'C.UTF-8',
    ])
    await cluster.configure(['fsync = on', 'wal_level = replica', 'max_wal_senders = 4', ...settings])
    await cluster.start()
    return cluster
  }

  /** A streaming replica of another cluster, which runs. */
  static async replicaOf(primary: PostgresCluster, name: string): Promise<PostgresCluster> {
    const replica = await PostgresCluster.#empty()
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`
    await replica.#run('pg_basebackup', [
      '-D',
      replica.folder,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '-d',
      source,
    ])
    await replica.configure([])
    await replica.start()
    return replica
  }

  static async #empty(): Promise<PostgresCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'octavo-postgres-'))
    const owner = await identity()
    if (owner) await chown(folder, owner.uid, owner.gid)
    return new PostgresCluster(folder, await freePort(), owner)
  }

  /** The URL of a database. Default: the cluster's `postgres`. */
  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  /** Adds lines to `postgresql.conf`. */
  async configure(lines: readonly string[]): Promise<void> {
    const own = [`port = ${this.port}`, `listen_addresses = '127.0.0.1'`, `unix_socket_directories = ''`]
    await appendFile(join(this.folder, 'postgresql.conf'), `${[...own, ...lines].join('\n')}\n`)
  }

  async start(): Promise<void> {
    await this.#run('pg_ctl', ['-D', this.folder, '-l', join(this.folder, 'log'), '-w', '-t', '60', 'start'])
  }

  /** @param mode `fast` ends the sessions, `immediate` is a crash. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.#run('pg_ctl', ['-D', this.folder, '-w', '-t', '60', '-m', mode, 'stop'])
  }

  /** Makes a replica the primary. */
  async promote(): Promise<void> {
    await this.#run('pg_ctl', ['-D', this.folder, '-w', 'promote'])
  }

  async reload(): Promise<void> {
    await this.#run('pg_ctl', ['-D', this.folder, 'reload'])
  }

  async createDatabase(name: string, options = ''): Promise<string> {
    await this.sql(`create database ${name} ${options}`)
    return this.url(name)
  }

  /** Runs a statement as the superuser. */
  async sql(text: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.url(database) })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }

  /** The process ids of the sessions of Octavo. */
  async backends(): Promise<readonly number[]> {
    const rows = await this.sql(`select pid from pg_stat_activity where application_name like 'octavo%'`)
    return rows.map(({ pid }) => Number(pid))
  }

  /** Opens connections until there are no more. The superuser's reserve stays. */
  async takeConnections(): Promise<readonly Client[]> {
    await this.sql(`do $$ begin create role thief login; exception when duplicate_object then null; end $$`)
    const taken: Client[] = []
    for (;;) {
      const client = new Client({ connectionString: this.url().replace('postgres@', 'thief@') })
      client.on('error', () => {})
      try {
        await client.connect()
        taken.push(client)
      } catch {
        return taken
      }
    }
  }

  /** Undoes every `alter system`, also when the database takes no writes. */
  async removeSystemSettings(): Promise<void> {
    await writeFile(join(this.folder, 'postgresql.auto.conf'), '')
  }

  /**
   * Adds a tablespace `small` on a disk of this size.
   * @throws NotMounted
   */
  withSmallDisk<T>(size: string, use: (disk: SmallDisk) => Promise<T>): Promise<T> {
    return SmallDisk.mounted(size, this.#identity, async (disk) => {
      try {
        await this.sql(`create tablespace small location '${disk.folder}'`)
        return await use(disk)
      } finally {
        await this.stop('immediate')
      }
    })
  }

  /** Private bytes of each session of Octavo. */
  async backendMemory(): Promise<readonly number[]> {
    const sizes = await Promise.all((await this.backends()).map((pid) => privateMemory([pid])))
    return sizes.filter((size) => size !== undefined)
  }

  /** Stops the cluster and removes its folder. */
  async remove(): Promise<void> {
    await this.stop('immediate').catch(() => {})
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    if (postgresPrograms === undefined) throw new Error('There is no PostgreSQL: set OCTAVO_POSTGRES_BIN')
    const { code, output } = await run(join(postgresPrograms, program), args, this.#identity)
    if (code !== 0) throw new Error(`${program} ended with ${code}:\n${output}`)
  }
}
