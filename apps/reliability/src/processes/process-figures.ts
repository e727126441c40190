/** Figures of running processes, from `/proc`. They are `undefined` where there is none, as on macOS. */
import { readdir, readFile } from 'node:fs/promises'

const kibibyte = 1024

/** Resident memory of processes together, in bytes. */
export async function residentMemory(pids: readonly number[]): Promise<number | undefined> {
  return sum(await Promise.all(pids.map((pid) => field(`/proc/${pid}/status`, 'VmRSS'))))
}

/** Private memory of processes together, in bytes: without the buffers that the backends of PostgreSQL share. */
export async function privateMemory(pids: readonly number[]): Promise<number | undefined> {
  return sum(await Promise.all(pids.map((pid) => field(`/proc/${pid}/smaps_rollup`, 'Pss_Anon'))))
}

/** Open files and sockets of processes together. */
export async function openHandles(pids: readonly number[]): Promise<number | undefined> {
  const counts = pids.map((pid) =>
    readdir(`/proc/${pid}/fd`).then(
      (files) => files.length,
      () => undefined,
    ),
  )
  return sum(await Promise.all(counts))
}

/** Ticks of the clock in which Linux counts times of processes, in a second. */
const ticks = 100

/** Seconds of processor time that a process has used, with all its threads. */
export async function processorTime(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // After the name, which may have spaces: the state, and ten fields before the times in user and in system mode.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) / ticks
}

/** A process and its descendants. */
export async function familyOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const below = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(familyOf))
  return [pid, ...below.flat()]
}

async function field(file: string, name: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) * kibibyte
}

/** A process may end between two readings: the others count. */
function sum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
}
