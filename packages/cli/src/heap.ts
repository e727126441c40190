/** The memory of `octavo start`. */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Megabytes of one half of V8's space for young objects. By default it grows to 32, so that a busy process has a hundred megabytes of garbage; with 8 it
 * answers as many requests.
 */
const youngSpace = '--max-semi-space-size=8'

/** The heaps of glibc's `malloc`: one for each thread by default, each of which keeps what it once had. */
const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Set in the environment of a process that was replaced. */
const variable = 'OCTAVO_HEAP_LIMITS'

/**
 * Replaces the process of `octavo start` by one with limits of its heap, which V8 and malloc take at the start of a process only. The process id, the standard
 * streams and the environment stay. Settings of the caller (`NODE_OPTIONS=--max-semi-space-size=32`, `MALLOC_ARENA_MAX=4`) have precedence. Nothing happens on
 * Windows, in workers and in processes that their parent sends messages to.
 */
export function limitHeap(argv: readonly string[]): void {
  const [, bin, command] = argv
  const { env, execArgv, execve, platform } = process
  const given = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-')
  if (command !== 'start' || bin === undefined || env[variable] !== undefined || process.send) return
  if (!execve || platform === 'win32' || given.includes('inspect')) return
  const limits = given.includes('--max-semi-space-size') ? [] : [youngSpace]
  // Its warning, that it is experimental, comes in a later turn, and so never.
  execve(process.execPath, [process.execPath, ...execArgv, ...limits, bin, ...argv.slice(2)], {
    ...malloc,
    ...env,
    [variable]: '1',
  })
}

/** Milliseconds between two looks at the heap, and the part of the time in which a process that rests works at most. */
const interval = 5_000
const restful = 0.05

/** Bytes by which the heap has grown since the last collection when a resting process collects its garbage: it is the memory of a load that is over. */
const garbage = 32 * 1024 * 1024

/** Bytes of a heap whose collection with all pages given back, about a tenth of a second, would keep requests waiting too long. */
const large = 256 * 1024 * 1024

/**
 * Keeps the memory of a server that listens near what is in use. The start's garbage is collected as soon as the process rests, and that of each load when it is
 * over: V8 collects when a process needs memory, so that one that rests keeps all that it once had.
 */
export function releaseMemory(): void {
  boundGrowth()
  let before = performance.eventLoopUtilization()
  let collected = 0
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    // Not again for what is in use.
    if (utilization > restful || sizeOfHeap() < collected + garbage) return
    collect()
    collected = sizeOfHeap()
  }, interval).unref()
}

/**
 * The growth of the heap until V8 collects all of it, in percent of the objects in use. It is small by default, so that a server has little garbage, and doubles
 * each time that two full collections follow within a second: an overloaded server has hundreds of waiting requests, and would collect for half of its time.
 */
const growth = { least: 20, most: 320 }

/** Milliseconds between two collections within which the heap may grow more, and after which it grows less again. */
const often = 1_000
const seldom = 5_000

/** The growth after a full collection. @param since Milliseconds since the one before. */
export function growthAfter(percent: number, since: number): number {
  if (since < often) return Math.min(growth.most, percent * 2)
  return since > seldom ? Math.max(growth.least, percent / 2) : percent
}

function boundGrowth(): void {
  let percent = growth.least
  let last = 0
  // Set once all modules are loaded: V8 refuses compiled code that it stored with other options.
  const set = (): void => setFlagsFromString(`--heap-growing-percent=${percent}`)
  set()
  new PerformanceObserver((list) => {
    for (const { startTime, detail } of list.getEntries() as readonly Collection[]) {
      if (detail?.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue
      percent = growthAfter(percent, startTime - last)
      last = startTime
      set()
    }
  }).observe({ entryTypes: ['gc'] })
}

/** An entry of the type `gc`. */
type Collection = PerformanceEntry & { readonly detail?: { readonly kind?: number } }

const sizeOfHeap = (): number => getHeapStatistics().total_physical_size

/** Collects garbage; of a heap that is not large, V8 moves objects together and gives free pages back. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof gc !== 'function') return
  gc({ type: 'major', flavor: sizeOfHeap() < large ? 'last-resort' : 'regular' })
}
