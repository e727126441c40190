/**
 * The content of the benchmark: articles with authors, categories, an SEO component, links and a zone, made by a seeded
 * generator, so that every run has the same rows. They are inserted with COPY.
 */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defineComponent, defineContentType } from '@octavo/core'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'

export const sizes = { smoke: 50, small: 100, medium: 100_000, large: 1_000_000 } as const
export type Size = keyof typeof sizes

export const contentTypes = [
  defineContentType({
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles' },
    options: { totals: 'kept' },
    attributes: {
      title: { type: 'string', required: true },
      slug: { type: 'uid' },
      body: { type: 'richtext' },
      summary: { type: 'text' },
      status: { type: 'enumeration', enum: ['news', 'review', 'opinion'] },
      rating: { type: 'decimal' },
      views: { type: 'integer' },
      featured: { type: 'boolean' },
      publishedOn: { type: 'date' },
      author: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::author.author',
        inversedBy: 'articles',
      },
      categories: {
        type: 'relation',
        relation: 'manyToMany',
        target: 'api::category.category',
        inversedBy: 'articles',
      },
      seo: { type: 'component', component: 'shared.seo' },
      links: { type: 'component', component: 'shared.link', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['blocks.hero', 'blocks.quote'] },
    },
  }),
  defineContentType({
    kind: 'collectionType',
    info: { singularName: 'author', pluralName: 'authors' },
    attributes: {
      name: { type: 'string', required: true },
      email: { type: 'email' },
      articles: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::article.article',
        mappedBy: 'author',
      },
    },
  }),
  defineContentType({
    kind: 'collectionType',
    info: { singularName: 'category', pluralName: 'categories' },
    attributes: {
      name: { type: 'string', required: true },
      parent: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::category.category',
        inversedBy: 'children',
      },
      children: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::category.category',
        mappedBy: 'parent',
      },
      articles: {
        type: 'relation',
        relation: 'manyToMany',
        target: 'api::article.article',
        mappedBy: 'categories',
      },
    },
  }),
]

export const components = [
  defineComponent({
    uid: 'shared.seo',
    attributes: { metaTitle: { type: 'string' }, metaDescription: { type: 'text' } },
  }),
  defineComponent({ uid: 'shared.link', attributes: { label: { type: 'string' }, url: { type: 'string' } } }),
  defineComponent({ uid: 'blocks.hero', attributes: { heading: { type: 'string' } } }),
  defineComponent({ uid: 'blocks.quote', attributes: { text: { type: 'text' } } }),
]

/** Rows of each kind for a number of articles. */
export const authorsOf = (articles: number): number => Math.max(10, Math.round(articles / 50))
export const categoriesOf = (articles: number): number =>
  Math.min(2_000, Math.max(20, Math.round(articles / 100)))

type Value = string | number | boolean | null
const uid = 'api::article.article'
const now = '2026-01-01T00:00:00.000Z'

/** Fills the tables, which must exist and be empty. */
export async function fill(client: Client, articles: number): Promise<void> {
  const authors = authorsOf(articles)
  const categories = categoriesOf(articles)
  const times = [now, now]
  await copy(client, 'authors', ['id', 'name', 'email', 'created_at', 'updated_at'], authors, (i) => [
    [i, `${word(i)} ${word(i * 7)} ${i}`, `author${i}@example.org`, ...times],
  ])
  await copy(
    client,
    'categories',
    ['id', 'name', 'parent_id', 'parent_position', 'created_at', 'updated_at'],
    categories,
    (i) => [[i, `${word(i * 3)} ${i}`, i > 10 ? Math.ceil(i / 10) : null, i, ...times]],
  )
  const columns = [
    'id',
    'title',
    'slug',
    'body',
    'summary',
    'status',
    'rating',
    'views',
    'featured',
    'published_on',
    'author_id',
    'author_position',
    'created_at',
    'updated_at',
  ]
  await copy(client, 'articles', columns, articles, (i) => [
    [
      i,
      `${word(i)} ${word(i * 5)} ${word(i * 11)} ${i}`,
      `article-${i}`,
      sentence(i, 60),
      sentence(i * 3, 12),
      (['news', 'review', 'opinion'] as const)[hash(i) % 3] ?? 'news',
      (hash(i * 13) % 1000) / 100,
      hash(i * 17) % 1_000_000,
      hash(i) % 2 === 0,
      `20${String(10 + (hash(i) % 15))}-0${1 + (hash(i * 2) % 9)}-1${hash(i * 3) % 10}`,
      1 + (hash(i * 19) % authors),
      i,
      ...times,
    ],
  ])
  await copy(
    client,
    'articles_categories_links',
    ['owner_id', 'target_id', 'position', 'inverse_position'],
    articles,
    (i) =>
      [
        ...new Set([
          1 + (hash(i) % categories),
          1 + (hash(i * 23) % categories),
          1 + (hash(i * 29) % categories),
        ]),
      ].map((target, n) => [i, target, n + 1, i]),
  )
  const owned = ['owner_type', 'owner_id', 'field', 'position']
  await copy(
    client,
    'components_shared_seo',
    ['id', ...owned, 'meta_title', 'meta_description'],
    articles,
    (i) => [[i, uid, i, 'seo', 1, `${word(i)} ${i}`, sentence(i * 31, 10)]],
  )
  await copy(client, 'components_shared_link', ['id', ...owned, 'label', 'url'], articles, (i) =>
    [1, 2].map((n) => [i * 2 + n - 2, uid, i, 'links', n, word(i * n), `https://example.org/${i}/${n}`]),
  )
  await copy(client, 'components_blocks_hero', ['id', ...owned, 'heading'], articles, (i) => [
    [i, uid, i, 'blocks', 1, `${word(i)} ${word(i * 37)}`],
  ])
  await copy(client, 'components_blocks_quote', ['id', ...owned, 'text'], articles, (i) => [
    [i, uid, i, 'blocks', 2, sentence(i * 41, 8)],
  ])
  for (const table of [
    'authors',
    'categories',
    'articles',
    'components_shared_seo',
    'components_shared_link',
    'components_blocks_hero',
    'components_blocks_quote',
  ]) {
    await client.query(
      `select setval(pg_get_serial_sequence('"${table}"', 'id'), (select max(id) from "${table}"))`,
    )
  }
  await client.query('vacuum analyze')
}

async function copy(
  client: Client,
  table: string,
  columns: readonly string[],
  count: number,
  rows: (i: number) => readonly (readonly Value[])[],
): Promise<void> {
  function* lines(): Generator<string> {
    for (let i = 1; i <= count; i++) for (const row of rows(i)) yield `${row.map(field).join('\t')}\n`
  }
  await pipeline(
    Readable.from(lines()),
    client.query(from(`copy "${table}" (${columns.map((c) => `"${c}"`).join(', ')}) from stdin`)),
  )
}

const field = (value: Value): string => (value === null ? '\\N' : String(value))

const words =
  'river lantern harbour copper market orchard signal winter engine meadow salt theatre mirror bridge garden letter atlas ember quiet paper'.split(
    ' ',
  )
const word = (n: number): string => words[hash(n) % words.length] ?? 'river'
const sentence = (seed: number, length: number): string =>
  Array.from({ length }, (_, i) => word(seed + i * 101)).join(' ')

/** A pseudo-random number that is the same in every run. */
function hash(n: number): number {
  let h = (n * 2_654_435_761) >>> 0
  h ^= h >>> 15
  h = Math.imul(h, 2_246_822_519) >>> 0
  return (h ^ (h >>> 13)) >>> 0
}
