/** Cuts the power of a server on the embedded database while clients write, and starts it on what the disk has. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../processes/free-port.ts'
import { OctavoProcess } from '../processes/octavo-process.ts'
import { makeSite } from '../site.ts'
import { Writers, type WritersReport } from '../writers.ts'
import { Disk } from './disk.ts'

export interface PowerOptions {
  readonly cuts: number
  /** Writes that must be acknowledged between two cuts. */
  readonly writesBetween: number
  readonly clients: number
  /** Clients that only create. Default 0. */
  readonly creating?: number
  readonly seed: number
  /** The text of the configuration. Default: that of {@link makeSite}. */
  readonly config?: string
}

const recorder = fileURLToPath(new URL('./record.ts', import.meta.url))

/** @throws Error with the server's output when it does not start after a cut. */
export async function cutPower(options: PowerOptions): Promise<WritersReport> {
  const site = await makeSite(options.config)
  const folder = join(site.folder, 'database')
  const record = join(site.folder, 'record')
  const port = await freePort()
  const start = (env: NodeJS.ProcessEnv): Promise<OctavoProcess> =>
    OctavoProcess.start({ config: site.config, database: `file:${folder}`, port, env })
  const recorded = {
    NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${recorder}`,
    OCTAVO_RECORDED: folder,
    OCTAVO_RECORD: record,
  }
  const random = randomFrom(options.seed)
  // The first start makes the folder.
  let server = await start({})
  try {
    await server.stop()
    let disk = await Disk.of(folder)
    server = await start(recorded)
    const { url } = server
    const writers = await Writers.start(() => url, options.clients, { creating: options.creating ?? 0 })
    for (let cut = 0; cut < options.cuts; cut++) {
      await writers.progress(options.writesBetween)
      await server.kill()
      await disk.replay(record)
      await disk.cut(folder, random)
      await rm(record)
      disk = await Disk.of(folder)
      server = await start(recorded)
    }
    return await writers.finish()
  } finally {
    await server.kill()
    await site.remove()
  }
}

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
