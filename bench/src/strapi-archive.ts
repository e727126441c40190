/**
 * Writes an archive as `strapi export` would of a large project, without holding it in memory:
 *
 *     node bench/src/strapi-archive.ts FILE [--entries 1000000] [--links 5000000]
 *
 * Four fifths of the entries are articles; a link is an author, a category or a related article of one. Every eighth
 * article has a component. The same numbers give the same archive.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

const {
  values,
  positionals: [target],
} = parseArgs({
  allowPositionals: true,
  options: {
    entries: { type: 'string', default: '1000000' },
    links: { type: 'string', default: '5000000' },
  },
})
if (target === undefined) throw new Error('Name the file of the archive')
const entries = Number(values.entries)
const links = Number(values.links)

const categories = Math.max(1, Math.round(entries / 100))
const authors = Math.max(1, Math.round((entries * 19) / 100))
const articles = entries - categories - authors

const article = 'api::article.article'
const author = 'api::author.author'
const category = 'api::category.category'

const type = (name: string, attributes: object) => ({
  uid: `api::${name}.${name}`,
  modelType: 'contentType',
  kind: 'collectionType',
  collectionName: `${name.replace(/y$/, 'ie')}s`,
  info: { singularName: name, pluralName: `${name.replace(/y$/, 'ie')}s`, displayName: name },
  options: { draftAndPublish: name === 'article' },
  pluginOptions: {},
  attributes,
})
const relation = (kind: string, to: string, other: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: to,
  ...other,
})

const schemas = [
  type('author', {
    name: { type: 'string' },
    articles: relation('oneToMany', article, { mappedBy: 'author' }),
  }),
  type('category', {
    name: { type: 'string' },
    articles: relation('manyToMany', article, { mappedBy: 'categories' }),
  }),
  type('article', {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title' },
    body: { type: 'richtext' },
    views: { type: 'integer' },
    extra: { type: 'json' },
    seo: { type: 'component', component: 'shared.seo', repeatable: false },
    author: relation('manyToOne', author, { inversedBy: 'articles' }),
    categories: relation('manyToMany', category, { inversedBy: 'articles' }),
    related: relation('manyToMany', article),
  }),
  {
    uid: 'shared.seo',
    modelType: 'component',
    collectionName: 'components_shared_seos',
    info: { displayName: 'seo' },
    attributes: { metaTitle: { type: 'string' }, metaDescription: { type: 'text' } },
  },
]

const dates = { createdAt: '2024-01-01T09:00:00.000Z', updatedAt: '2024-02-01T09:00:00.000Z' }
const body = 'Market letter meadow theatre garden salt harbour ember atlas. '.repeat(4)

function* entityLines(): Generator<object> {
  for (let id = 1; id <= authors; id++) yield { type: author, id, data: { name: `Author ${id}`, ...dates } }
  for (let id = 1; id <= categories; id++)
    yield { type: category, id, data: { name: `Category ${id}`, ...dates } }
  for (let id = 1; id <= articles; id++) {
    const data = {
      title: `Article ${id}`,
      slug: `article-${id}`,
      body,
      views: id % 1_000,
      extra: { n: id },
      ...dates,
      publishedAt: id % 10 === 0 ? null : dates.createdAt,
      seo: id % 8 === 0 ? { id: id / 8, metaTitle: `Meta ${id}`, metaDescription: null } : null,
    }
    yield { type: article, id, data }
  }
}

function* linkLines(): Generator<object> {
  for (let n = 0; n < links; n++) {
    const ref = (n % articles) + 1
    const round = Math.floor(n / articles)
    if (round === 0) {
      yield {
        kind: 'relation.basic',
        relation: 'manyToOne',
        left: { type: article, field: 'author', ref },
        right: { type: author, ref: (ref % authors) + 1, field: 'articles', pos: ref },
      }
    } else if (round <= 3) {
      yield {
        kind: 'relation.basic',
        relation: 'manyToMany',
        left: { type: article, field: 'categories', ref, pos: round },
        right: { type: category, ref: ((ref + round) % categories) + 1, field: 'articles', pos: ref },
      }
    } else {
      yield {
        kind: 'relation.circular',
        relation: 'manyToMany',
        left: { type: article, field: 'related', ref, pos: round },
        right: { type: article, ref: ((ref + round) % articles) + 1 },
      }
    }
  }
}

/** Many lines at a time: a stream of single lines is slow. */
function* pieces(lines: Iterable<object>): Generator<string> {
  let piece = ''
  let first = true
  for (const line of lines) {
    piece += (first ? '' : '\n') + JSON.stringify(line)
    first = false
    if (piece.length < 1_000_000) continue
    yield piece
    piece = ''
  }
  yield piece
}

const folder = await mkdtemp(path.join(tmpdir(), 'octavo-archive-'))
try {
  const tar = pack()
  const written = pipeline(tar, createGzip({ level: 1 }), createWriteStream(target))
  const parts: readonly [string, Iterable<object>][] = [
    ['schemas/schemas_00001.jsonl', schemas],
    ['entities/entities_00001.jsonl', entityLines()],
    ['links/links_00001.jsonl', linkLines()],
    [
      'configuration/configuration_00001.jsonl',
      [{ type: 'core-store', value: { id: 1, key: 'plugin_i18n_default_locale', value: 'en' } }],
    ],
    ['metadata.json', [{ createdAt: '2026-01-01T00:00:00.000Z', strapi: { version: '4.26.2' } }]],
  ]
  for (const [name, lines] of parts) {
    // In a tar the size precedes the content.
    const part = path.join(folder, 'part')
    await pipeline(Readable.from(pieces(lines)), createWriteStream(part))
    const { size } = await stat(part)
    const entry = tar.entry({ name, size })
    await pipeline(createReadStream(part), entry)
  }
  tar.finalize()
  await written
  console.log(`${target}: ${entries} entries, ${links} links, ${(await stat(target)).size} bytes`)
} finally {
  await rm(folder, { recursive: true })
}
