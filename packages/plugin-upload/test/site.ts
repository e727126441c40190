import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, defineComponent, silentLogger } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import { createServer, type Server, type ServerOptions } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import sharp from 'sharp'
import { localDisk, type UploadOptions, upload } from '../src/index.ts'

const article: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true },
    cover: { type: 'media', allowedTypes: ['images'] },
    gallery: { type: 'media', multiple: true },
    seo: { type: 'component', component: 'shared.seo' },
    todo: { type: 'component', component: 'shared.todo', repeatable: true },
    blocks: { type: 'dynamiczone', components: ['shared.todo', 'shared.seo'] },
  },
}
const seo = defineComponent({ uid: 'shared.seo', attributes: { image: { type: 'media' } } })
const todo = defineComponent({
  uid: 'shared.todo',
  attributes: { task: { type: 'string' }, docs: { type: 'media', multiple: true } },
})

export interface Site {
  readonly server: Server
  readonly url: string
  readonly api: Client
  readonly folder: string
  /** Names of the stored files, in order. */
  kept(): Promise<readonly string[]>
  /** How many rows there are of files, and of links to them. */
  rows(): Promise<{ readonly files: number; readonly links: number }>
  /** Another server on the same database and folder, for when this one is closed. Its `close` removes both. */
  reopen(options: UploadOptions): Promise<Site>
  close(): Promise<void>
}

type Options = Partial<ServerOptions> & { readonly others?: readonly Plugin[] }

/** A server with articles that have media, on a database and a folder of its own. */
export async function openSite(options: UploadOptions = {}, more: Options = {}): Promise<Site> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  return serve({ database, folder }, options, more)
}

interface Place {
  readonly database: Awaited<ReturnType<typeof createTestDatabase>>
  readonly folder: string
}

async function serve(place: Place, options: UploadOptions, more: Options): Promise<Site> {
  const { database, folder } = place
  const { others = [], ...serverOptions } = more
  const server = await createServer({
    contentTypes: [article],
    components: [seo, todo],
    database: database.url,
    logger: silentLogger,
    access: 'open',
    ...serverOptions,
    plugins: [upload({ provider: localDisk({ folder }), ...options }), ...others],
  })
  const { url } = await server.listen(0, '127.0.0.1')
  return {
    server,
    url,
    api: createClient(url),
    folder,
    async kept() {
      const entries = await readdir(folder, { withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort()
    },
    async rows() {
      const [row] = await server.octavo.store.query(
        'select (select count(*) from "files")::int, (select count(*) from "files_related")::int',
      )
      return { files: Number(row?.[0]), links: Number(row?.[1]) }
    },
    reopen: (again) => serve(place, again, more),
    async close() {
      await server.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface Part {
  readonly name?: string
  readonly content: string | Uint8Array
  readonly type?: string
  readonly field?: string
}

/** A multipart body. */
export function form(parts: readonly Part[], fields: Readonly<Record<string, unknown>> = {}): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields))
    data.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  for (const { name = 'a.txt', content, type = '', field = 'files' } of parts) {
    const bytes = typeof content === 'string' ? content : new Uint8Array(content)
    data.append(field, new Blob([bytes], { type }), name)
  }
  return data
}

/** A picture with a colour gradient, so that it does not compress to nothing. */
export const picture = (
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' = 'png',
) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 20 } } })
    [format]()
    .toBuffer()
