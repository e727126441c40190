/**
 * A process that runs commands of the built `octavo` one after the other, for `command` of `launch.ts`. A process for each command loads
 * all modules anew, and the compiler of the embedded database: half a second to two seconds of processor time before the command begins.
 */
import { realpathSync } from 'node:fs'
import module from 'node:module'
import { pathToFileURL } from 'node:url'

const { run } = (await import(new URL('../dist/index.js', import.meta.url).href)) as {
  run(argv: readonly string[]): Promise<void>
}

export interface Command {
  readonly cwd: string
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string>>
}

let count = 0
let folder = ''

// A configuration and its modules are loaded for each command, as a process of its own would.
module.registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const isOfProject = found.url.startsWith(folder) && !found.url.includes('/node_modules/')
    return folder !== '' && isOfProject ? { ...found, url: `${found.url}?command=${count}` } : found
  },
})

/** Thrown in place of the end of the process, after its output and exit code were taken. */
class Ended extends Error {}

function setVariables(variables: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
}

async function runCommand({ cwd, args, variables }: Command): Promise<object> {
  count++
  folder = `${pathToFileURL(realpathSync(cwd)).href}/`
  process.chdir(cwd)
  setVariables(variables)
  process.exitCode = undefined
  const output = { out: '', err: '' }
  const taken =
    (name: keyof typeof output) =>
    (text: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
      output[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      const done = rest.at(-1)
      if (typeof done === 'function') done()
      return true
    }
  const { exit } = process
  const [write, writeError] = [process.stdout.write, process.stderr.write]
  process.stdout.write = taken('out')
  process.stderr.write = taken('err')
  const exited = new Promise<object>((resolve) => {
    process.exit = (code) => {
      resolve({ code: Number(code ?? process.exitCode ?? 0), ...output })
      throw new Ended()
    }
  })
  const returned = run([process.execPath, 'octavo', ...args]).then(() => ({
    code: Number(process.exitCode ?? 0),
    ...output,
  }))
  try {
    return await Promise.race([exited, returned])
  } finally {
    // After an exit the rest of the command ends at the error, and prints nothing that is read.
    await returned
    Object.assign(process, { exit })
    process.stdout.write = write
    process.stderr.write = writeError
    process.exitCode = undefined
  }
}

process.on('message', async (command: Command) => {
  process.send?.(await runCommand(command))
})
