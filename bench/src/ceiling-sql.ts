/** Fragments of the hand-written SQL of the ceilings, which build the same JSON as Octavo's statements. `a` is the alias of articles. */

const stamp = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const times = (t: string): string =>
  `${stamp(`${t}.created_at`)} as "createdAt", ${stamp(`${t}.updated_at`)} as "updatedAt"`
export const article = (t: string): string =>
  `${t}.title, ${t}.slug, ${t}.body, ${t}.summary, ${t}.status, trim_scale(${t}.rating) as rating, ${t}.views, ${t}.featured, ${t}.published_on as "publishedOn", ${times(t)}`
/** The columns of an article whose type has drafts. */
export const publishedArticle = (t: string): string =>
  `${article(t)}, ${stamp(`${t}.published_at`)} as "publishedAt"`
export const entry = (t: string, fields: string): string =>
  `(select row_to_json(e) from (select ${t}.id, (select row_to_json(f) from (select ${fields}) f) as attributes) e)`
export const author = (fields: string): string =>
  `json_build_object('data', (select ${entry('u', fields)} from authors u where u.id = a.author_id)) as author`
const owned = (c: string, field: string): string =>
  `${c}.owner_id = a.id and ${c}.owner_type = 'api::article.article' and ${c}.field = '${field}'`
export const categories = (fields: string): string =>
  `json_build_object('data', coalesce((select json_agg(x.e) from (select ${entry('c', fields)} as e from articles_categories_links l join categories c on c.id = l.target_id where l.owner_id = a.id order by l.position, c.id) x), '[]')) as categories`
export const seo = `(select row_to_json(s) from (select c.id, c.meta_title as "metaTitle", c.meta_description as "metaDescription" from components_shared_seo c where ${owned('c', 'seo')}) s) as seo`
export const links = `coalesce((select json_agg(s) from (select c.id, c.label, c.url from components_shared_link c where ${owned('c', 'links')} order by c.position, c.id) s), '[]') as links`
export const hero = `select c.position, (select row_to_json(z) from (select 'blocks.hero' as "__component", c.id, c.heading) z) as item from components_blocks_hero c where ${owned('c', 'blocks')}`
export const quote = `select c.position, (select row_to_json(z) from (select 'blocks.quote' as "__component", c.id, c.text) z) as item from components_blocks_quote c where ${owned('c', 'blocks')}`
export const zone = (...kinds: readonly string[]): string =>
  `coalesce((select json_agg(b.item order by b.position) from (${kinds.join(' union all ')}) b), '[]') as blocks`

export const list = (fields: string, rest: string, where = ''): string =>
  `select (select string_agg(${entry('a', fields)}::text, ',') from (select * from articles a ${where} ${rest}) a), (select count(*) from articles a ${where})`

/** The attributes of `searchedTypes` and the id, as the expressions that its index has. */
export const searched = ['a.id::text', 'a.title', 'a.summary']
  .map((column) => `lower(${column}) like $1`)
  .join(' or ')
