import { i18n } from '@octavo/plugin-i18n'
import { createServer } from '@octavo/server'

const localized = { pluginOptions: { i18n: { localized: true } } }
export const server = await createServer({
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'post', pluralName: 'posts' },
      ...localized,
      attributes: { title: { type: 'string', ...localized }, year: { type: 'integer' } },
    },
  ],
  plugins: [i18n({ locales: ['en', 'fr'] })],
  access: 'open', // anybody may write; @octavo/plugin-users-permissions has roles
})
// POST /api/posts                  { "data": { "title": "Emma", "year": 1815 } }   in English, the default
// POST /api/posts/1/localizations  { "locale": "fr", "title": "Emma, en français" } the same in French
// GET  /api/posts?locale=fr        the French one, with the year of both
