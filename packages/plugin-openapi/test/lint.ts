import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const require = createRequire(import.meta.url)
const redocly = path.join(path.dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js')

/** Lints a description with Redocly. @returns what it prints @throws with its errors */
export async function lint(description: object): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-openapi-'))
  try {
    await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(description, null, 1))
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [redocly, 'lint', '--extends=recommended', '--format=stylish', 'openapi.json'],
      { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' } },
    )
    return stdout + stderr
  } finally {
    await rm(folder, { recursive: true })
  }
}
