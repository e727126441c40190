import type { PluginName } from '../choices.ts'
import { json } from './json.ts'

/** The content-types of a new project, and its first entries. */
export function contentFiles(plugins: readonly PluginName[]): Readonly<Record<string, string>> {
  const has = (plugin: PluginName) => plugins.includes(plugin)
  const localized = has('i18n') ? { pluginOptions: { i18n: { localized: true } } } : {}
  const article = {
    kind: 'collectionType',
    collectionName: 'articles',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    ...(has('draft-publish') && { options: { draftAndPublish: true } }),
    ...localized,
    attributes: {
      title: { type: 'string', required: true, maxLength: 120, ...localized },
      body: { type: 'richtext', ...localized },
      ...(has('upload') && { cover: { type: 'media', multiple: false, allowedTypes: ['images'] } }),
      author: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::author.author',
        inversedBy: 'articles',
      },
    },
  }
  const author = {
    kind: 'collectionType',
    collectionName: 'authors',
    info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
    attributes: {
      name: { type: 'string', required: true },
      articles: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::article.article',
        mappedBy: 'author',
      },
    },
  }
  const published = has('draft-publish') ? { publishedAt: '2026-01-01T00:00:00.000Z' } : {}
  return {
    'content/content-types/article.json': json(article),
    'content/content-types/author.json': json(author),
    'data.json': json({
      entries: {
        'api::author.author': [{ id: 1, name: 'Ada' }],
        'api::article.article': [
          { id: 1, title: 'First light', body: 'Octavo **answers**.', author: 1, ...published },
        ],
      },
    }),
  }
}
