import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { readServed } from './files.ts'
import type { Installed } from './install.ts'
import { ask, loadOf, type Sample } from './load.ts'
import type { Answer, Api, Asked, Content, Question, Questions } from './peer.ts'

/** Milliseconds that a server may take to start, and each command before. */
const patience = 180_000

/** A peer with its own database, filled. */
export class Running {
  readonly installed: Installed
  readonly asked: Questions
  /** Its own. */
  readonly database: URL
  readonly #child: ChildProcess
  readonly url: string
  readonly #drop: () => Promise<void>

  private constructor(
    installed: Installed,
    asked: Questions,
    child: ChildProcess,
    url: string,
    database: URL,
    drop: () => Promise<void>,
  ) {
    this.database = database
    this.#drop = drop
    this.installed = installed
    this.asked = asked
    this.#child = child
    this.url = url
  }

  /** @param server Any database of the PostgreSQL server; the peer's own is made anew beside it. */
  static async start(installed: Installed, server: URL, content: Content): Promise<Running> {
    const { peer, folder, node } = installed
    const name = `octavo_peer_${peer.key}`
    const drop = () => sql(server, `drop database if exists ${name} with (force)`)
    await drop()
    const uploads = path.join(folder, peer.uploads)
    await rm(uploads, { recursive: true, force: true })
    await mkdir(uploads, { recursive: true })
    await sql(server, `create database ${name}`)
    const database = new URL(server)
    database.pathname = `/${name}`
    const port = await freePort()
    const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...peer.env(database, port) }
    for (const command of peer.prepare ?? [])
      await promisify(execFile)(node, [...command], {
        cwd: folder,
        env,
        maxBuffer: 2 ** 26,
        timeout: patience,
      })
    const child = spawn(node, [...peer.start], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
    process.once('exit', () => child.kill('SIGKILL'))
    const url = `http://127.0.0.1:${port}`
    try {
      await ready(child, url + peer.ready)
      const asked = await peer.fill(apiOf(url), content)
      await sql(database, 'vacuum analyze')
      return new Running(installed, asked, child, url, database, drop)
    } catch (error) {
      child.kill('SIGKILL')
      await drop()
      throw error
    }
  }

  #asked(question: Question): Asked {
    const asked = this.asked[question]
    if (!asked) throw new Error(`${this.installed.peer.name} has no request for "${question}"`)
    return asked
  }

  /** The answer to the first request of a question. @throws Error for an answer that is not 2xx */
  async answer(question: Question): Promise<Answer> {
    const asked = this.#asked(question)
    return asked.read(JSON.parse(await ask(this.url, asked)), apiOf(this.url))
  }

  /**
   * Requests a second, and milliseconds.
   * @param isWarmUp Whether no answer within the time is fine.
   * @throws Error when an answer is not 2xx
   */
  async load(question: Question, seconds: number, connections: number, isWarmUp = false): Promise<Sample> {
    const { name } = this.installed.peer
    const sample = await loadOf(
      { name: `${name}, ${question}`, url: this.url },
      this.#asked(question),
      seconds,
      connections,
    )
    if (Number.isNaN(sample.p50) && !isWarmUp)
      throw new Error(`${name}, ${question}: no answer within ${seconds} s`)
    return sample
  }

  /** Megabytes of resident memory. */
  async memory(): Promise<number> {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(this.#child.pid)])
    return Number(stdout) / 1024
  }

  /** Ends the server, drops its database and removes its uploaded files. */
  async stop(): Promise<void> {
    if (!hasEnded(this.#child)) {
      const ended = once(this.#child, 'exit')
      this.#child.kill('SIGKILL')
      await ended
    }
    await this.#drop()
    const { folder, peer } = this.installed
    await rm(path.join(folder, peer.uploads), { recursive: true, force: true })
  }
}

const apiOf = (url: string): Api => ({
  async send(method, path, body, headers = {}) {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
    return text === '' ? undefined : JSON.parse(text)
  },
  async file(path) {
    const response = await fetch(url + path)
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
    return readServed(response.headers.get('content-type'), Buffer.from(await response.arrayBuffer()))
  },
})

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function ready(child: ChildProcess, url: string): Promise<void> {
  const until = Date.now() + patience
  while (Date.now() < until) {
    if (hasEnded(child)) throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}`)
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`${url} did not answer within ${patience / 1000} s`)
}

async function sql(database: URL, statement: string): Promise<void> {
  const client = new Client(database.href)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // of a TCP server
  server.close()
  await once(server, 'close')
  return port
}
