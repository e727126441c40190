import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@octavo/cli'
import { desk } from '@octavo/plugin-desk'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import { openapi } from '@octavo/plugin-openapi'
import { pages } from '@octavo/plugin-pages'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { demoEditor, signInNotes } from './editor.ts'
import { site } from './site/serve.ts'

// The covers are copied to where uploads of visitors go as well.
const folder = fileURLToPath(new URL('../../.octavo/demo-media/', import.meta.url))
cpSync(new URL('./media/', import.meta.url), folder, { recursive: true })

/** Drafts of books are for users only, with `publicationState=preview`. */
const published = { publishedAt: { $notNull: true } }
const permissions = {
  public: ['find', 'findOne'].map((name) => ({ action: `api::book.book.${name}`, where: published })),
}

export default defineConfig({
  content: './content',
  database: 'file:../../.octavo/demo',
  seedWhenEmpty: './data/library.json',
  plugins: [
    i18n(),
    draftPublish(),
    usersPermissions({ permissions }),
    editors(),
    demoEditor(),
    desk({ title: 'Library' }),
    openapi({ info: { title: 'Library', description: 'A library of public-domain books.' } }),
    pages(),
    upload({ provider: localDisk({ folder }), variants: { sizes: [{ width: 320 }, { width: 640 }] } }),
  ],
  middleware: [site()],
  notes: signInNotes(),
  urls: [
    '/library',
    '/docs',
    '/api/books',
    '/api/books?populate[authors][fields]=name&sort=firstPublished',
    '/api/authors?filters[birthplace][country]=France&populate=books',
    '/api/genres?filters[parent][id][$null]=true&populate[children][populate]=children',
    '/api/reading-lists?populate[body][populate]=*',
    '/api/library?populate=*',
    '/api/books/1?populate=cover&fields=title',
  ],
})
