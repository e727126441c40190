import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { scalarTypes } from '@octavo/core'
import { describeServer } from '@octavo/plugin-openapi'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { valueTypes } from '../src/schemas/values.ts'
import { type RecordedServer, recordedServer } from './conformance.ts'

const require = createRequire(import.meta.url)
const redocly = path.join(path.dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js')

let site: RecordedServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-openapi-'))
  site = await recordedServer({
    users: {
      refreshTokens: true,
      providers: {
        example: {
          issuer: 'https://id.example.org',
          clientId: 'a',
          clientSecret: 'b',
          callbacks: ['https://example.org/back'],
        },
      },
    },
    options: { metrics: true, api: { rest: { bulk: true } } },
  })
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

/** @throws with the errors of the linter */
async function lint(description: object): Promise<string> {
  const file = path.join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(description, null, 1))
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [redocly, 'lint', '--extends=recommended', '--format=stylish', file],
    { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' } },
  )
  return stdout + stderr
}

it('The description of every endpoint, with all options on, has no errors for the linter of Redocly', async () => {
  const description = describeServer(site.server) as { readonly paths: object }
  expect(Object.keys(description.paths)).toEqual(
    expect.arrayContaining([
      '/api/articles/actions/bulk',
      '/api/connect/{provider}',
      '/api/auth/refresh',
      '/_metrics',
    ]),
  )
  expect(await lint(description)).toContain('Your API description is valid')
})

it('The linter finds errors where there are some', async () => {
  const description = describeServer(site.server) as { readonly components: object }
  const broken = { ...description, components: { ...description.components, schemas: {} } }
  await expect(lint(broken)).rejects.toThrow()
})

it('Every attribute type of core has a schema', () => {
  expect(Object.keys(valueTypes).sort()).toEqual([...scalarTypes.keys()].sort())
})
