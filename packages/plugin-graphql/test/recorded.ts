/** A server with the content of the recording, `conformance/`, and GraphQL. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DataFile, importData, loadContentTypes, type Store, sql } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { type GraphqlOptions, graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { type UsersPermissionsOptions, usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'

export const conformance = fileURLToPath(new URL('../../../conformance/', import.meta.url))

export interface RecordedServer {
  readonly server: Server
  readonly url: string
  close(): Promise<void>
}

/** @param accounts Roles beside those of the recording. */
export async function recordedServer(
  options: GraphqlOptions = {},
  more: readonly Plugin[] = [],
  accounts: UsersPermissionsOptions = {},
): Promise<RecordedServer> {
  const database = await createTestDatabase()
  const media = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  const server = await createServer({
    ...loadContentTypes(`${conformance}schemas`),
    plugins: [
      i18n(),
      draftPublish(),
      usersPermissions(accounts),
      upload({ provider: localDisk({ folder: media }) }),
      graphql(options),
      ...more,
    ],
    database: database.url,
    rateLimit: false,
  }).catch(async (error: unknown) => {
    await database.drop()
    await rm(media, { recursive: true, force: true })
    throw error
  })
  await importData(server.octavo, JSON.parse(await readFile(`${conformance}seed.json`, 'utf8')) as DataFile)
  await messagesArrived(server.octavo.store)
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

/**
 * Waits for the messages of all that was written before, such as the one of imported locales, which would change the server within a test.
 * PostgreSQL sends them in the order of their commits.
 */
async function messagesArrived(store: Store): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await store.listen('octavo_test', () => resolve())
  await store.run(sql`select pg_notify('octavo_test', '')`)
  await promise
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read without a model
export type Loose = any

export interface Answer {
  readonly status: number
  readonly body: Loose
}

/** Sends an operation. */
export async function ask(
  url: string,
  query: string,
  {
    token,
    ...fields
  }: { readonly variables?: object; readonly operationName?: string; readonly token?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, ...fields }),
  })
  return { status: response.status, body: await response.json() }
}

/** A token of a user. */
export async function login(url: string, identifier = 'reader'): Promise<string> {
  const { body } = await ask(
    url,
    `mutation { login(input: { identifier: "${identifier}", password: "Password123" }) { jwt } }`,
  )
  return body.data.login.jwt
}
