/** The folder of the measured `octavo start`, with its log, and the rights of its callers. */
import { execFile } from 'node:child_process'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { Child } from './child.ts'
import { secret } from './users.ts'

const run = promisify(execFile)
const config = fileURLToPath(new URL('octavo.config.ts', import.meta.url))

/** As on a server that people use. */
const env = { NODE_ENV: 'production', JWT_SECRET: secret }

/**
 * The limits that `octavo start` gives itself, except in a process that its parent sends messages to, as this one is. They are in
 * `packages/cli/src/heap.ts`.
 */
const limits = {
  nodeOptions: ['--max-semi-space-size=8'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' },
}

const readable = [
  'api::article.article.find,findOne',
  'api::author.author.find',
  'api::category.category.find',
]
const granted = {
  public: readable,
  authenticated: [...readable, 'api::article.article.create,update,delete'],
} as const

export class StartFolder {
  readonly #folder: string
  readonly #log: FileHandle
  readonly #database: string

  private constructor(folder: string, log: FileHandle, database: string) {
    this.#folder = folder
    this.#log = log
    this.#database = database
  }

  /**
   * Makes the tables that the plugins add, publishes all articles, and grants the permissions. Articles that earlier scenarios have
   * created are deleted, since the ceiling would count them for each list.
   */
  static async prepare(database: string, articles: number): Promise<StartFolder> {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-start-'))
    const made = new StartFolder(folder, await open(path.join(folder, 'log'), 'a'), database)
    await (await made.start()).stop('SIGTERM')
    const client = new Client(database)
    await client.connect()
    await client.query('delete from articles where id > $1', [articles])
    await client.query('update articles set published_at = created_at where published_at is null')
    await client.query('vacuum analyze articles')
    await client.end()
    const bin = fileURLToPath(new URL('bin.js', import.meta.resolve('@octavo/cli')))
    for (const [role, actions] of Object.entries(granted)) {
      const grant = ['permissions', 'grant', '-c', config, '-d', database, role, ...actions]
      await run(process.execPath, [bin, ...grant], { cwd: folder, env: { ...process.env, ...env } })
    }
    return made
  }

  start(): Promise<Child> {
    const place = { ...limits, folder: this.#folder, env: { ...limits.env, ...env }, log: this.#log.fd }
    return Child.startIn(place, './start-command.ts', this.#database)
  }

  async remove(): Promise<void> {
    await this.#log.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
