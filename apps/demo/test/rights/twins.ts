import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Octavo, silentLogger, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { createEditor, editors, type Right } from '@octavo/plugin-editors'
import { graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { pages } from '@octavo/plugin-pages'
import { localDisk, upload } from '@octavo/plugin-upload'
import { type Permission, usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { type Client, type ClientRequest, createClient, createTestDatabase } from '@octavo/testing'
import {
  components,
  contentTypes,
  fileUid,
  hiddenAlways,
  names,
  type Role,
  shared,
  userAttributes,
} from './model.ts'
import type { Request } from './request.ts'

export interface Twin {
  readonly octavo: Octavo
  /** Sends a request as Ada. */
  ask(request: Request): Promise<{
    readonly status: number
    readonly text: string
    /** The explanation of a read, without times and without the steps of a caller that may read all. */
    readonly explanation?: string
  }>
  /** Restores the initial data. */
  refill(): Promise<void>
  /** Changes the data with SQL: `~` is the number of the twin. */
  run(sql: string): Promise<void>
  close(): Promise<void>
}

const state = unrestricted('fills the tests')

const secret = 'Password-123'

/** The databases are written at different times, and names of files are random. */
const alike = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time').replaceAll(/_[\da-f]{10,}/g, '_random')

/** One of two databases that differ only in data that a role may not read. The caller is a user. */
export async function openTwin(role: Role, n: 1 | 2): Promise<Twin> {
  const { api, refill, ...site } = await openSite(n, role.permissions)
  const login = await api.post('/api/auth/local', { body: { identifier: 'ada', password: secret } })
  const explain = async (path: string): Promise<string> => {
    const to = `${encodeURI(path)}${path.includes('?') ? '&' : '?'}explain=true`
    const { status, text } = await api.request('GET', to, { token: login.body.jwt })
    const { times = {}, plan, ...explanation } = JSON.parse(alike(text))
    // Steps and numbers of rows are for a caller that may read all rows and attributes: they depend on the state of the tables. Where
    // rights narrow the read they remain, and differ.
    const isNarrowed = (explanation.pruned ?? []).some(
      ({ by }: { readonly by: string }) => by === 'users-permissions',
    )
    const shown = plan && !isNarrowed ? { ...explanation, pruned: [] } : { ...explanation, plan }
    return JSON.stringify([status, shown, Object.keys(times)])
  }
  return {
    ...site,
    ask: async (request) => {
      const answer = await send(api, request, { token: login.body.jwt })
      return { ...answer, ...(request.kind === 'read' && { explanation: await explain(request.path) }) }
    },
    refill: async () => {
      await refill()
      await site.run(`${hiddenAlways}; ${role.hidden}`)
    },
  }
}

/** A twin whose caller is an editor. */
export interface DeskTwin extends Twin {
  /** Gives the caller these roles, and Bob the first of them. @returns the ids of the roles */
  assign(roles: readonly (readonly Right[])[]): Promise<readonly number[]>
}

/** One of two databases that differ only in data that an editor may not read. */
export async function openDeskTwin(n: 1 | 2): Promise<DeskTwin> {
  const { api, url, refill, ...site } = await openSite(n, [])
  const { octavo } = site
  for (const name of ['ada', 'bob'])
    await createEditor(octavo, { email: `${name}@example.org`, password: secret, firstname: name })
  const origin = { origin: url }
  const body = { email: 'ada@example.org', password: secret }
  const login = await api.post('/desk/api/login', { headers: origin, body })
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    ...site,
    ask: (request) => send(api, request, { headers: { ...origin, cookie } }),
    refill: async () => {
      await refill()
      // An editor may read private attributes.
      await site.run(hiddenAlways.replaceAll('~', '0'))
    },
    assign: async (roles) => {
      const people = octavo.entries('plugin::editors.editor', state)
      const known = octavo.entries('plugin::editors.role', state)
      await octavo.store.query('delete from "desk_roles"')
      const ids: number[] = []
      for (const [i, rights] of roles.entries())
        ids.push((await known.create({ name: `role ${i}`, rights })).id)
      await people.update(1, { roles: ids })
      await people.update(2, { roles: ids.slice(0, 1) })
      return ids
    },
  }
}

async function send(
  api: Client,
  { method, path, body, form }: Request,
  credentials: Pick<ClientRequest, 'token' | 'headers'>,
) {
  const { status, text } = await api.request(method, encodeURI(path), {
    ...credentials,
    ...(body !== undefined && { body }),
    ...(form && { body: formOf(form) }),
  })
  return { status, text: alike(text) }
}

/** A server with the types of the model, its users, and the same data in both twins. */
async function openSite(n: 1 | 2, permissions: readonly Permission[]) {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-rights-'))
  const server = await createServer({
    contentTypes,
    components,
    plugins: [
      i18n({ locales: ['en', 'fr', 'de'] }),
      draftPublish({ actions: true }),
      usersPermissions({
        permissions: {
          authenticated: [
            ...permissions,
            { action: 'plugin::pages.explain' },
            { action: 'plugin::pages.explain-values' },
          ],
        },
        user: { attributes: userAttributes },
        jwt: { secret: 'the same for both, so that tokens are alike' },
      }),
      upload({ provider: localDisk({ folder }) }),
      pages({ development: false }),
      graphql({ depthLimit: 20 }),
      editors(),
    ],
    api: { rest: { bulk: true } },
    database: database.url,
    logger: silentLogger,
    rateLimit: false,
  })
  const { octavo } = server
  const run = async (sql: string): Promise<void> => {
    for (const statement of sql.split(';'))
      if (statement.trim() !== '') await octavo.store.query(statement.replaceAll('~', String(n)))
  }
  const [authenticated] = (await octavo.entries('role', state).find({ filters: { type: 'authenticated' } }))
    .data
  for (const username of ['ada', 'bob'])
    await octavo.entries('user', state).create({
      username,
      email: `${username}@example.org`,
      password: secret,
      provider: 'local',
      confirmed: true,
      role: authenticated?.id,
    })
  const { url } = await server.listen(0, '127.0.0.1')
  return {
    octavo,
    url,
    api: createClient(url),
    run,
    refill: () => refill(octavo, run),
    close: async () => {
      await server.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function refill(octavo: Octavo, run: (sql: string) => Promise<void>): Promise<void> {
  await run(`truncate ${names.map((name) => `"${name}s"`).join(', ')} restart identity cascade`)
  await run('truncate "files" restart identity cascade')
  // Where there are editors, they are the creators.
  const hasEditors = (await octavo.store.query('select 1 from "desk_editors"')).length > 0
  const by = (owner: number) => hasEditors && { createdBy: owner }
  for (const [i, uploadedBy] of [1, 2, 1, 2].entries()) {
    const hash = `file_${i}`
    const row = { name: `${hash}.txt`, hash, ext: '.txt', mime: 'text/plain', size: 1, provider: 'local' }
    await octavo
      .entries(fileUid, state)
      .create({ ...row, url: `/uploads/${hash}.txt`, uploadedBy, ...by(uploadedBy) })
  }
  const parts = octavo.registry.component('shared.part').table
  await run(`delete from "${parts}"; delete from "comments_subject_morphs"`)
  for (const name of names) {
    for (const [i, owner] of [1, 2, 1, 2, 2].entries()) {
      const parts =
        name === 'article' ? { parts: [{ label: 'a', note: (i % 4) + 1 }], cover: (i % 4) + 1 } : {}
      await octavo
        .entries(name, state)
        .create({ name: i === 0 ? 'open' : `${name} ${i}`, owner, ...by(owner), ...parts })
    }
  }
  await run(`update "up_users" set "nickname" = 'a'; ${shared}`)
}

function formOf({ content, info }: NonNullable<Request['form']>): FormData {
  const form = new FormData()
  if (info !== undefined) form.append('fileInfo', JSON.stringify(info))
  if (content !== undefined) form.append('files', new Blob([content]), 'a.txt')
  return form
}
