/** Hand-written transactions of the scenarios that write. Each is made for the attributes that its answer has. */
import type { PoolClient } from 'pg'
import { article, entry, publishedArticle } from './ceiling-sql.ts'
import { changed, extended, idOf, newArticle } from './written.ts'

/** The articles that are written: without drafts, or published when they are created. */
interface Kind {
  /** The columns of an answer, by the alias of the table. */
  readonly fields: (alias: string) => string
  /** Further columns of a new article, and their values: `, name`. */
  readonly columns: string
  readonly values: string
}

export const withoutDrafts: Kind = { fields: article, columns: '', values: '' }
export const published: Kind = { fields: publishedArticle, columns: ', published_at', values: ', now()' }

/** A transaction, without `begin` and `commit`; gives the entry as JSON. */
type Write = (client: PoolClient, url: URL) => Promise<string>

export const createArticle =
  (kind: Kind): Write =>
  async (client) => {
    const { title, body, views } = newArticle
    const { rows } = await client.query({
      name: 'create',
      text: `insert into articles (title, body, views, created_at, updated_at${kind.columns}) values ($1, $2, $3, now(), now()${kind.values}) returning id`,
      values: [title, body, views],
    })
    return answer(client, kind, rows[0].id)
  }

export const createExtended =
  (kind: Kind): Write =>
  async (client) => {
    const { title, body, views, author, categories, seo, links, blocks } = extended
    await hasRelated(client, extended)
    const { rows } = await client.query({
      name: 'create',
      text: `insert into articles (title, body, views, author_id, author_position, created_at, updated_at${kind.columns}) values ($1, $2, $3, $4, nextval('octavo_position'), now(), now()${kind.values}) returning id`,
      values: [title, body, views, author],
    })
    const { id } = rows[0]
    const owner = `'api::article.article', $1`
    await client.query({
      name: 'seo',
      text: `insert into components_shared_seo (owner_type, owner_id, field, position, meta_title, meta_description) values (${owner}, 'seo', 1, $2, $3)`,
      values: [id, seo.metaTitle, seo.metaDescription],
    })
    await client.query({
      name: 'links',
      text: `insert into components_shared_link (owner_type, owner_id, field, position, label, url) select ${owner}::int, 'links', n, label, url from unnest($2::text[], $3::text[]) with ordinality as x (label, url, n)`,
      values: [id, links.map(({ label }) => label), links.map(({ url }) => url)],
    })
    await client.query({
      name: 'hero',
      text: `insert into components_blocks_hero (owner_type, owner_id, field, position, heading) values (${owner}, 'blocks', 1, $2)`,
      values: [id, blocks[0].heading],
    })
    await client.query({
      name: 'quote',
      text: `insert into components_blocks_quote (owner_type, owner_id, field, position, text) values (${owner}, 'blocks', 2, $2)`,
      values: [id, blocks[1].text],
    })
    await connect(client, id, categories)
    return answer(client, kind, id)
  }

export const updateArticle =
  (kind: Kind): Write =>
  async (client, url) => {
    const id = idOf(url)
    await client.query({
      name: 'lock',
      text: 'select 1 from articles where id = $1 for update',
      values: [id],
    })
    await hasRelated(client, changed)
    await client.query({
      name: 'update',
      text: 'update articles set title = $2, author_id = $3, updated_at = now() where id = $1',
      values: [id, changed.title, changed.author],
    })
    await client.query({
      name: 'cut',
      text: 'delete from articles_categories_links where owner_id = $1 and target_id <> all($2)',
      values: [id, changed.categories],
    })
    await connect(client, id, changed.categories)
    return answer(client, kind, id)
  }

type Related = { readonly author: number; readonly categories: readonly number[] }

/** The related entries exist, and remain until the end of the transaction. */
async function hasRelated(client: PoolClient, { author, categories }: Related): Promise<void> {
  await client.query({
    name: 'has-author',
    text: 'select id from authors where id = $1 for key share',
    values: [author],
  })
  await client.query({
    name: 'has-categories',
    text: 'select id from categories where id = any($1) for key share',
    values: [categories],
  })
}

async function connect(client: PoolClient, id: number, categories: readonly number[]): Promise<void> {
  await client.query({
    name: 'connect',
    text: 'insert into articles_categories_links (owner_id, target_id, position, inverse_position) select $1, c, n, n from unnest($2::int[]) with ordinality as x(c, n) on conflict (owner_id, target_id) do update set position = excluded.position',
    values: [id, categories],
  })
}

async function answer(client: PoolClient, { fields }: Kind, id: number): Promise<string> {
  const { rows } = await client.query({
    name: 'answer',
    text: `select ${entry('a', fields('a'))}::text as e from articles a where a.id = $1`,
    values: [id],
  })
  return rows[0].e
}
