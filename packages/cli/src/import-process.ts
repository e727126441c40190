import { fork } from 'node:child_process'
import { setFlagsFromString } from 'node:v8'
import { answerSignals, type EndingSignal, endBy } from './signals.ts'

type Limits = Readonly<Record<string, number>>

/**
 * Heap limits of the process that imports a Strapi project, in MB. Without them V8 lets garbage grow while the machine has memory
 * (575 MB for 200,000 entries), with them the process stays below 400 MB for any number of entries.
 */
const strapiLimits: Limits = { 'max-old-space-size': 256, 'max-semi-space-size': 4 }

/** The limits of V8 for the import of a data file. Its old space has no limit, since sections other than `entries` are in memory as a whole. */
const fileLimits: Limits = { 'max-semi-space-size': 4 }

/**
 * The growth of the heap of that process between two collections, in percent of the objects in use. V8 lets it grow to several
 * times their size: 120 MB of old space for 30 MB in use, as the rows of most batches outlive the young generation.
 */
const heapGrowth = 20

/** Set in the environment of that process. */
const variable = 'OCTAVO_IMPORT_PROCESS'

/**
 * Runs `octavo import` in a child process with heap limits, since V8 takes them at the start of a process only. A
 * limit that the caller sets (`NODE_OPTIONS=--max-old-space-size=1024`) has precedence.
 *
 * @returns `false` when this process has to run the command itself.
 */
export async function runImportProcess(argv: readonly string[]): Promise<boolean> {
  const [, bin, command] = argv
  const isStrapi = argv[3] === 'strapi'
  if (process.env[variable] !== undefined) {
    endWithParent()
    // Not an argument of the process: Node.js does not start when its V8 has no such flag.
    if (!isStrapi) setFlagsFromString(`--heap-growing-percent=${heapGrowth}`)
    return false
  }
  if (command !== 'import' || bin === undefined) return false
  const child = fork(bin, argv.slice(2), {
    execArgv: [...process.execArgv, ...missingLimits(isStrapi ? strapiLimits : fileLimits)],
    env: { ...process.env, [variable]: '1' },
  })
  let stoppedBy: EndingSignal | undefined
  answerSignals((name) => {
    stoppedBy = name
    child.kill(name)
  })
  const signal = await new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? 1
      resolve(signal)
    })
  })
  const unchanged = 'It is one transaction: unless that had just ended, the database is unchanged.'
  const left = isStrapi ? ' Files that were copied remain, and the next import does not copy them again.' : ''
  if (signal === 'SIGABRT')
    console.error(
      `octavo: the import ran out of memory; the database is unchanged. NODE_OPTIONS=--max-old-space-size=${isStrapi ? 1024 : 8192} allows more (in MB).${left}`,
    )
  else if (signal !== null && stoppedBy !== undefined) {
    endBy(stoppedBy)
    console.error(`octavo: ${signal} stopped the import. ${unchanged}${left}`)
  } else if (signal !== null)
    console.error(
      `octavo: ${signal} ended the import. ${unchanged}${left} The system ends processes with SIGKILL when the memory of the machine or container is used up.`,
    )
  return true
}

/** The limits that the caller did not set. */
function missingLimits(limits: Limits): readonly string[] {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-')
  return Object.entries(limits)
    .filter(([name]) => !given.includes(`--${name}`))
    .map(([name, megabytes]) => `--${name}=${megabytes}`)
}

/** Ends this process when its parent ends. The open channel does not prevent its exit. */
function endWithParent(): void {
  process.once('disconnect', () => process.exit(1))
  process.channel?.unref()
}
