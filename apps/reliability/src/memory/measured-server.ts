/** The demo as `octavo start` serves it, with the figures of its memory. */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demoConfig } from '../demo-server.ts'
import { until } from '../faults/fault.ts'
import { OctavoProcess } from '../processes/octavo-process.ts'
import { type ClassSize, classesOf } from './classes.ts'
import { type HeapFigures, type Kept, keptBy } from './heap-figures.ts'

const recorder = fileURLToPath(new URL('./recorder.mjs', import.meta.url))

export class MeasuredServer {
  readonly process: OctavoProcess
  readonly #file: string

  private constructor(process: OctavoProcess, file: string) {
    this.process = process
    this.#file = file
  }

  /** @param flags Further options of Node.js. */
  static async start(database: string, folder: string, flags: string): Promise<MeasuredServer> {
    const file = join(folder, 'memory')
    const env = { OCTAVO_MEMORY: file, NODE_OPTIONS: `--import=${recorder} ${flags}`.trim() }
    const args = ['--no-rate-limit']
    return new MeasuredServer(await OctavoProcess.start({ config: demoConfig, database, args, env }), file)
  }

  async kept(): Promise<Kept> {
    const resident = await this.#field('VmRSS')
    const fileBacked = await this.#field('RssFile')
    const figures: HeapFigures = JSON.parse(await this.#written('SIGUSR2', this.#file)) // by the recorder
    return keptBy(resident, fileBacked, figures)
  }

  async classes(): Promise<readonly ClassSize[]> {
    return classesOf(JSON.parse(await this.#written('SIGPROF', `${this.#file}.heapsnapshot`)))
  }

  async #written(signal: NodeJS.Signals, file: string): Promise<string> {
    await rm(file, { force: true })
    this.process.child.kill(signal)
    await until(() => existsSync(file), `The server wrote no ${file}`, 120)
    return readFile(file, 'utf8')
  }

  async #field(name: string): Promise<number> {
    const status = await readFile(`/proc/${this.process.pid}/status`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
  }
}
