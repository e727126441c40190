import { fork } from 'node:child_process'

/**
 * Heap limits of the process that imports, in MB. Without them V8 lets garbage grow while the machine has memory (575 MB for
 * 200,000 entries), with them the process stays below 400 MB for any number of entries.
 */
const limits = { 'max-old-space-size': 256, 'max-semi-space-size': 4 }

/** Set in the environment of that process. */
const variable = 'OCTAVO_IMPORT_PROCESS'

/**
 * Runs `octavo import strapi` in a child process with heap limits, since V8 takes them at the start of a process only. A
 * limit that the caller sets (`NODE_OPTIONS=--max-old-space-size=1024`) has precedence.
 *
 * @returns `false` when this process has to run the command itself.
 */
export async function runImportProcess(argv: readonly string[]): Promise<boolean> {
  const [, bin, command] = argv
  if (process.env[variable] !== undefined) {
    endWithParent()
    return false
  }
  if (command !== 'import' || !argv.includes('strapi') || bin === undefined) return false
  const child = fork(bin, argv.slice(2), {
    execArgv: [...process.execArgv, ...missingLimits()],
    env: { ...process.env, [variable]: '1' },
  })
  const forward = (signal: NodeJS.Signals): boolean => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  const signal = await new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? 1
      resolve(signal)
    })
  })
  if (signal === 'SIGABRT')
    console.error(
      'octavo: the import ran out of memory; the database is unchanged. NODE_OPTIONS=--max-old-space-size=1024 allows more (in MB).',
    )
  return true
}

/** The limits that the caller did not set. */
function missingLimits(): readonly string[] {
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
