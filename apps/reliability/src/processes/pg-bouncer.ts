/** PgBouncer in transaction mode before a cluster. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { identity, type PostgresCluster } from './postgres-cluster.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(existsSync)

export const hasPgBouncer = program !== undefined

export class PgBouncer {
  readonly #folder: string
  readonly #port: number
  #child: ChildProcess | undefined

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.#port = port
  }

  static async start(cluster: PostgresCluster): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), 'octavo-pgbouncer-'))
    await chmod(folder, 0o755)
    const bouncer = new PgBouncer(folder, await freePort())
    await bouncer.moveTo(cluster)
    await bouncer.restart()
    return bouncer
  }

  url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`
  }

  /** Connects to another cluster from now on. */
  async moveTo(cluster: PostgresCluster): Promise<void> {
    await writeFile(join(this.#folder, 'users.txt'), '"postgres" ""\n')
    const lines = [
      '[databases]',
      `* = host=127.0.0.1 port=${cluster.port} user=postgres`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${this.#port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(this.#folder, 'users.txt')}`,
      'pool_mode = transaction',
      'default_pool_size = 10',
      'max_client_conn = 200',
      'server_login_retry = 1',
      'ignore_startup_parameters = extra_float_digits,options',
    ]
    await writeFile(join(this.#folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`)
    this.#child?.kill('SIGHUP')
  }

  /** Kills it (SIGKILL), and starts it again on its port. */
  async restart(): Promise<void> {
    await this.#kill()
    const child = spawn(program ?? 'pgbouncer', [join(this.#folder, 'pgbouncer.ini')], {
      cwd: '/',
      stdio: 'ignore',
      ...(await identity()),
    })
    this.#child = child
    for (let waited = 0; !(await this.#answers()); waited += 50) {
      if (child.exitCode !== null || waited > 20_000) throw new Error('PgBouncer does not start')
      await sleep(50)
    }
  }

  async remove(): Promise<void> {
    await this.#kill()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.#port, '127.0.0.1')
      socket.on('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
  }
}
