/**
 * Imports an archive with the command line, in a process of its own, and prints its memory over time (that of its child process included):
 *
 *     node bench/src/strapi-import.ts ARCHIVE postgres://user@host/empty_database
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const [archive, database] = process.argv.slice(2)
if (archive === undefined || database === undefined) throw new Error('Give an archive and a database')

const bin = fileURLToPath(new URL('../../packages/cli/dist/bin.js', import.meta.url))
const folder = await mkdtemp(path.join(tmpdir(), 'octavo-bench-'))
const begin = performance.now()
const child = spawn(
  process.execPath,
  [bin, 'import', 'strapi', path.resolve(archive), '--database', database],
  {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LOG_LEVEL: 'warn' },
  },
)

/** Resident memory of the process and its children in MB, from Linux. */
async function memory(pid = child.pid): Promise<number> {
  const text = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const own = Number(/VmRSS:\s+(\d+)/.exec(await text('status'))?.[1] ?? 0) / 1_024
  const children = (await text(`task/${pid}/children`)).trim().split(' ').filter(Boolean)
  const below = await Promise.all(children.map((pid) => memory(Number(pid))))
  return below.reduce((sum, megabytes) => sum + megabytes, own)
}

const samples: { readonly seconds: number; readonly megabytes: number }[] = []
const timer = setInterval(async () => {
  const megabytes = Math.round(await memory())
  if (megabytes > 0) samples.push({ seconds: Math.round((performance.now() - begin) / 1_000), megabytes })
}, 1_000)
const [code] = await once(child, 'exit')
clearInterval(timer)
await rm(folder, { recursive: true })

const seconds = (performance.now() - begin) / 1_000
const step = Math.max(1, Math.floor(samples.length / 30))
console.log('\nseconds  MB')
for (const [i, sample] of samples.entries())
  if (i % step === 0) console.log(`${String(sample.seconds).padStart(7)}  ${sample.megabytes}`)
const most = Math.max(0, ...samples.map(({ megabytes }) => megabytes))
console.log(`\nexit ${code}, ${seconds.toFixed(0)} s in all, at most ${most} MB`)
process.exitCode = code === 0 && most < 400 ? 0 : 1
