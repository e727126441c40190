/** Servers with every room of the desk: one that is empty, and one in which every name is long and has a script in it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ComponentDefinition, ContentTypeDefinition } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { webhooks } from '@octavo/plugin-webhooks'
import { desk } from '../../src/index.ts'
import { openSite, type Site } from '../site.ts'

/** A name of `length` characters without a place to break it, which begins with a script and ends with what it is the name of. */
export const longName = (of: string, length = 300): string =>
  `<img src=x onerror=alert(1)>${'Donaudampfschifffahrt'.repeat(20)}`.slice(0, length - of.length) + of

const localized = { pluginOptions: { i18n: { localized: true } } }

const typesWith = (name: (of: string) => string): readonly ContentTypeDefinition[] => [
  {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles', displayName: name('Article') },
    options: { draftAndPublish: true },
    ...localized,
    attributes: {
      title: { type: 'string', required: true, ...localized },
      address: { type: 'uid', targetField: 'title', ...localized },
      text: { type: 'text', ...localized },
      blocks: { type: 'blocks', ...localized },
      markdown: { type: 'richtext', ...localized },
      kind: { type: 'enumeration', enum: ['news', 'review'], ...localized },
      email: { type: 'email', ...localized },
      facts: { type: 'json', ...localized },
      isOpinion: { type: 'boolean', ...localized },
      opens: { type: 'datetime', ...localized },
      cover: { type: 'media', multiple: false, ...localized },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', ...localized },
      seo: { type: 'component', component: 'shared.seo', ...localized },
      sections: { type: 'dynamiczone', components: ['shared.seo'], ...localized },
    },
  },
  {
    kind: 'collectionType',
    info: { singularName: 'tag', pluralName: 'tags' },
    attributes: { name: { type: 'string', required: true } },
  },
]

const components = (name: (of: string) => string): readonly ComponentDefinition[] => [
  { uid: 'shared.seo', info: { displayName: name('Seo') }, attributes: { metaTitle: { type: 'string' } } },
]

const extension = `export default {
  contract: 1,
  setup(desk) {
    desk.definePage({ name: 'own', title: 'A page of its own', mount: (element) => void (element.textContent = 'Shown.') })
  },
}
`

/** A server with all rooms. @param name Makes the names of models. */
export async function openRooms(name: (of: string) => string = (of) => of): Promise<Site> {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-routes-'))
  mkdirSync(path.join(folder, 'desk'))
  writeFileSync(path.join(folder, 'desk/own.js'), extension)
  const secret = 'a secret of the tests of the desk, 32 characters'
  const site = await openSite(typesWith(name), components(name), {
    plugins: [
      i18n({ locales: ['en', 'de'] }),
      draftPublish(),
      usersPermissions({ jwt: { secret } }),
      upload({ provider: localDisk({ folder: path.join(folder, 'files') }), focalPoint: true }),
      webhooks(),
      editors(),
      desk({ extensions: path.join(folder, 'desk') }),
    ],
  })
  return {
    ...site,
    close: async () => {
      await site.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A picture. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A word, which is repeated where names are as long as they may be. */
const repeatedFor =
  (name: typeof longName) =>
  (word: string, count: number): string =>
    word.repeat(name === longName ? count : 1)

/** Something of everything that has a name, each as long as its place allows. @param name Makes the names. @returns where some of it is */
export async function fillRooms(site: Site, name = longName): Promise<{ readonly folder: number }> {
  const ada = await site.signIn('ada@example.org')
  const repeated = repeatedFor(name)
  const make = async (address: string, body: object) => {
    const answer = await site.send(ada, 'POST', address, body)
    if (answer.status >= 300) throw new Error(`${address}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { id: outer } = await make('folders', {
    name: name('Folder', 255).replaceAll('/', '|'),
    parent: null,
  })
  await make('folders', { name: name('Inner', 255).replaceAll('/', '|'), parent: outer })
  for (const folder of [null, outer]) await uploadFile(site, ada, folder, name)
  await make('roles', {
    name: name('Role', 100),
    description: name('Description', 200),
    rights: [{ action: 'read', type: 'api::tag.tag' }],
  })
  await make('people', {
    email: `${repeated('person', 10)}@${repeated('example', 8)}.org`,
    firstname: name('Person', 100),
    lastname: name('Last', 100),
    roles: [1],
  })
  await make('tokens', { name: name('Token', 100), access: 'read-only' })
  await make('webhooks', { name: name('Webhook', 100), url: `https://example.org/${repeated('hook', 100)}` })
  await make('locales', { code: 'fr', name: name('Locale', 50) })
  await make('views', {
    type: 'api::article.article',
    name: name('View', 100),
    query: 'view=drafts',
    shared: true,
  })
  await make('content/tags', { data: { name: name('Tag') } })
  const words = name('Text', 2000)
  await make('content/articles', {
    data: {
      title: name('Title', 255),
      text: words,
      markdown: `${words} [link](javascript:alert(1))`,
      blocks: [{ type: 'paragraph', children: [{ type: 'text', text: words }] }],
      facts: { [words]: words },
      email: `${repeated('editor', 10)}@example.org`,
      cover: 1,
      tags: [1],
      seo: { metaTitle: name('Meta', 255) },
      sections: [{ __component: 'shared.seo', metaTitle: name('Section', 255) }],
    },
  })
  return { folder: outer }
}

async function uploadFile(
  site: Site,
  cookie: string,
  folder: number | null,
  name: typeof longName,
): Promise<void> {
  const body = new FormData()
  // The server takes no name of a file with signs of HTML.
  const fileName = `${repeatedFor(name)('Donaufahrt', 9)}-2026.png`
  body.append(
    'fileInfo',
    JSON.stringify({
      alternativeText: name('Alternative', 255),
      caption: name('Caption', 255),
      ...(folder && { folder }),
    }),
  )
  body.append('files', new Blob([pixel], { type: 'image/png' }), fileName)
  const answer = await fetch(`${site.url}/desk/api/files`, {
    method: 'POST',
    headers: { origin: site.url, cookie },
    body,
  })
  if (!answer.ok) throw new Error(`the upload was refused: ${await answer.text()}`)
}
