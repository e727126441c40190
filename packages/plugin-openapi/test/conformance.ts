/** The recorded exchanges of `conformance/`, and a server with their content-types, data and plugins. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DataFile, importData, loadContentTypes } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { type OpenApiOptions, openapi } from '@octavo/plugin-openapi'
import { localDisk, upload } from '@octavo/plugin-upload'
import { type UsersPermissionsOptions, usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server, type ServerOptions } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'

const folder = fileURLToPath(new URL('../../../conformance/', import.meta.url))

export interface RecordedServer {
  readonly server: Server
  readonly url: string
  close(): Promise<void>
}

export interface ServerChoices {
  readonly openapi?: OpenApiOptions
  readonly users?: UsersPermissionsOptions
  readonly options?: ServerOptions
}

/** A server with the model and the data of the recording. */
export async function recordedServer(choices: ServerChoices = {}): Promise<RecordedServer> {
  const database = await createTestDatabase()
  const media = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  const server = await createServer({
    ...loadContentTypes(path.join(folder, 'schemas')),
    plugins: [
      i18n(),
      draftPublish(),
      usersPermissions(choices.users),
      upload({ provider: localDisk({ folder: media }) }),
      openapi(choices.openapi),
    ],
    database: database.url,
    rateLimit: false,
    ...choices.options,
  })
  await importData(
    server.octavo,
    JSON.parse(await readFile(path.join(folder, 'seed.json'), 'utf8')) as DataFile,
  )
  const { url } = await server.listen(0, '127.0.0.1')
  return {
    server,
    url,
    close: async () => {
      await server.close()
      await database.drop()
      await rm(media, { recursive: true, force: true })
    },
  }
}

export interface Exchange {
  readonly id: string
  readonly method: string
  /** Without the query string. */
  readonly path: string
  /** The body of the request, if it is JSON. */
  readonly body: unknown
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  /** Set where another answer is wanted than that of the reference server. */
  readonly instead?: unknown
}

interface Case {
  readonly id?: string
  readonly method?: string
  readonly path: string
  readonly body?: unknown
}

/** Every recorded request, with the values that earlier steps would give it. */
export async function exchanges(): Promise<readonly Exchange[]> {
  const { exchanges: single, scenarios } = JSON.parse(
    await readFile(path.join(folder, 'cases.json'), 'utf8'),
  ) as { exchanges: Case[]; scenarios: { id: string; steps: Case[] }[] }
  const steps = scenarios.flatMap(({ id, steps }) =>
    steps.map((step, i) => ({ ...step, id: step.id ?? `${id}/${i + 1}` })),
  )
  return [...single, ...steps].map(({ id = '', method = 'GET', path: address, body }) => ({
    id,
    method,
    path: address.replace(/\?.*/s, '').replaceAll(/\{\w+\}/g, '1'),
    body: filled(body),
  }))
}

/** The answers of the reference server, by the id of the exchange. */
export const recordedAnswers = async (): Promise<Readonly<Record<string, Answer>>> =>
  readAnswers(path.join(folder, 'golden.json'))

/** The answers of a server to the same requests. */
export async function answersOf(url: string): Promise<Readonly<Record<string, Answer>>> {
  const work = await mkdtemp(path.join(tmpdir(), 'octavo-answers-'))
  try {
    await copyFile(path.join(folder, 'cases.json'), path.join(work, 'cases.json'))
    const runner = spawn(
      process.execPath,
      [path.join(folder, 'run.mjs'), 'record', '--base', url, '--dir', work],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const [code] = await once(runner, 'exit')
    if (code !== 0) throw new Error(`The runner failed with ${code}`)
    return await readAnswers(path.join(work, 'golden.json'))
  } finally {
    await rm(work, { recursive: true })
  }
}

const readAnswers = async (file: string): Promise<Readonly<Record<string, Answer>>> =>
  filled(JSON.parse(await readFile(file, 'utf8'))) as Readonly<Record<string, Answer>>

/** Puts values in the places of those that differ from run to run. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item)]))
  if (value === '<now>') return '2026-01-01T00:00:00.000Z'
  if (value === '<id>' || (typeof value === 'string' && /^\{\w+\}$/.test(value))) return 1
  return value
}
