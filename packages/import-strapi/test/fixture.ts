import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import type { UsersPermissionsOptions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { type ProjectDefinitions, type Source, toDefinitions } from '../src/index.ts'
import { pluginsOf } from './plugins.ts'

/** A file that the reference server wrote of one project; see conformance/README.md for its content. */
export const fixture = (name: string): string => fileURLToPath(new URL(`fixture/${name}`, import.meta.url))

/** The key that `export.tar.gz.enc` was encrypted with. */
export const fixtureKey = 'a key of the fixture'

const recorded = fileURLToPath(new URL('../../../conformance/', import.meta.url))

export interface Site {
  readonly server: Server
  readonly folder: string
  readonly definitions: ProjectDefinitions
  close(): Promise<void>
}

/** A server on an empty database, with the content-types that a source has. */
export async function emptySite(
  source: Source,
  users: UsersPermissionsOptions = {},
  logger?: Logger,
  plugins: readonly Plugin[] = [],
): Promise<Site> {
  const definitions = toDefinitions((await source.outline()).schemas)
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-import-'))
  const server = await createServer({
    contentTypes: definitions.contentTypes,
    components: definitions.components,
    plugins: [...pluginsOf(definitions, folder, users), ...plugins],
    database: database.url,
    rateLimit: false,
    ...(logger && { logger }),
  })
  return {
    server,
    folder,
    definitions,
    close: async () => {
      await server.close()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}

/**
 * Replays the recorded exchanges. @returns how many agree, and a line for each that does not.
 * @param group Only the exchanges of this group. Default: all.
 */
export async function replay(
  url: string,
  group?: string,
): Promise<{ readonly agree: number; readonly failures: string[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-conformance-'))
  const file = await open(path.join(folder, 'report.json'), 'w+')
  try {
    const chosen = group === undefined ? [] : ['--group', group]
    const runner = spawn(
      process.execPath,
      [`${recorded}run.mjs`, 'diff', '--base', url, ...chosen, '--json'],
      { stdio: ['ignore', file.fd, 'inherit'] },
    )
    const [code] = await once(runner, 'exit')
    if (code !== 0 && code !== 1) throw new Error(`The runner failed with ${code}`)
    const [text = ''] = (await readFile(path.join(folder, 'report.json'), 'utf8')).split('\n')
    const report = JSON.parse(text) as {
      readonly groups: Readonly<Record<string, { readonly agree: number }>>
      readonly failures: readonly {
        readonly id: string
        readonly request: string
        readonly diffs: string[]
      }[]
    }
    return {
      agree: Object.values(report.groups).reduce((sum, { agree }) => sum + agree, 0),
      failures: report.failures.map(
        ({ id, request, diffs }) => `${id} ${request}\n  ${diffs.slice(0, 3).join('\n  ')}`,
      ),
    }
  } finally {
    await file.close()
    await rm(folder, { recursive: true })
  }
}
