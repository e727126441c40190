import { spawn } from 'node:child_process'

/** The user and group of a process. */
export interface Identity {
  readonly uid: number
  readonly gid: number
}

interface RunResult {
  readonly code: number | null
  readonly output: string
}

/** Runs a program and collects its output. */
export function run(
  program: string,
  args: readonly string[],
  options: Partial<Identity> = {},
): Promise<RunResult> {
  const child = spawn(program, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // Not `close`: the database inherits the pipes and outlives `pg_ctl`.
    child.once('exit', (code) => {
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ code, output })
    })
  })
}
