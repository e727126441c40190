/** PostgreSQL clusters of a test, made with the programs of an installed PostgreSQL. */
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where Debian installs them; the highest version. */
const debian = '/usr/lib/postgresql'
const versions = existsSync(debian) ? readdirSync(debian) : []
const newest = versions.sort((a, b) => Number(b) - Number(a))[0] ?? ''

/** The folder of `initdb` and `pg_ctl`: `OCTAVO_TEST_POSTGRES_BIN`, or Debian's. `undefined`: not installed. */
export const binaries = [process.env.OCTAVO_TEST_POSTGRES_BIN, path.join(debian, newest, 'bin')].find(
  (folder) => folder && existsSync(path.join(folder, 'initdb')),
)

/** PostgreSQL does not run as root; its package has the user `postgres`. */
const asOwner = (program: string, args: readonly string[]) => {
  const full = path.join(binaries ?? '', program)
  const options = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  return process.getuid?.() === 0
    ? run('runuser', ['-u', 'postgres', '--', full, ...args], options)
    : run(full, args, options)
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo // it listens on TCP
  listener.close()
  await once(listener, 'close')
  return port
}

export class Cluster {
  readonly port: number
  readonly #folder: string

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.port = port
  }

  /** A running server with an empty database `postgres`. */
  static async create(): Promise<Cluster> {
    const cluster = new Cluster(emptyFolder(), await freePort())
    await asOwner('initdb', [
      '-D',
      cluster.#data,
      '-U',
      'postgres',
      '--auth=trust',
      '--no-sync',
      '-E',
      'UTF8',
    ])
    await cluster.#start()
    return cluster
  }

  /** A running standby that streams from this server. */
  async standby(): Promise<Cluster> {
    const cluster = new Cluster(emptyFolder(), await freePort())
    const source = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres']
    await asOwner('pg_basebackup', [...source, '-D', cluster.#data, '-R', '--checkpoint=fast', '--no-sync'])
    await cluster.#start()
    return cluster
  }

  async promote(): Promise<void> {
    await asOwner('pg_ctl', ['promote', '-D', this.#data])
  }

  /** Refuses writes from now on, in open connections as well. */
  async becomeReadOnly(): Promise<void> {
    appendFileSync(path.join(this.#data, 'postgresql.conf'), 'default_transaction_read_only = on\n')
    await asOwner('pg_ctl', ['reload', '-D', this.#data])
  }

  /** Stops at once, without a checkpoint. */
  async kill(): Promise<void> {
    await asOwner('pg_ctl', ['stop', '-D', this.#data, '-m', 'immediate'])
  }

  async remove(): Promise<void> {
    await this.kill().catch(() => {}) // it may be stopped
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #data(): string {
    return path.join(this.#folder, 'data')
  }

  async #start(): Promise<void> {
    const settings = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c shared_buffers=16MB`
    await asOwner('pg_ctl', [
      'start',
      '-w',
      '-D',
      this.#data,
      '-l',
      path.join(this.#folder, 'log'),
      '-o',
      settings,
    ])
  }
}

function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-cluster-'))
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', folder])
  return folder
}
