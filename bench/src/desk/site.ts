/** The content that the desk is measured with. */
import type { ComponentDefinition, ContentTypeDefinition, Octavo } from '@octavo/core'
import { unrestricted } from '@octavo/core'
import { createEditor } from '@octavo/plugin-editors'
import type { Client } from 'pg'
import type { Extent } from './extent.ts'

/** Numbers of what the large entries have. */
export const sizes = { parts: 200, inputsOfPart: 5, letters: 50_000 } as const

export const editor = { email: 'editor@example.org', password: 'Editor-1-word' } as const

const localized = { pluginOptions: { i18n: { localized: true } } }

const article: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: {
    draftAndPublish: true,
    totals: 'kept',
    indexes: [{ attributes: ['locale', 'updatedAt', 'id'] }],
    search: { attributes: ['title'] },
  },
  ...localized,
  attributes: {
    title: { type: 'string', required: true, ...localized },
    form: { type: 'enumeration', enum: ['news', 'review', 'essay'], ...localized },
    words: { type: 'integer', ...localized },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::person.person', ...localized },
    readers: { type: 'relation', relation: 'manyToMany', target: 'api::person.person', ...localized },
    towns: { type: 'relation', relation: 'manyToMany', target: 'api::town.town', ...localized },
  },
}

const person: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'person', pluralName: 'people' },
  options: { search: { attributes: ['name'] } },
  attributes: { name: { type: 'string', required: true } },
}

/** As many entries, without an index for searches. */
const town: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'town', pluralName: 'towns' },
  attributes: { name: { type: 'string', required: true } },
}

const page: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages' },
  attributes: {
    title: { type: 'string', required: true },
    sections: { type: 'dynamiczone', components: ['section.card', 'section.teaser'] },
  },
}

const story: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'story', pluralName: 'stories' },
  attributes: { title: { type: 'string', required: true }, body: { type: 'blocks' } },
}

const card: ComponentDefinition['attributes'] = {
  heading: { type: 'string', required: true },
  text: { type: 'text', maxLength: 500 },
  link: { type: 'string' },
  place: { type: 'integer' },
  form: { type: 'enumeration', enum: ['wide', 'narrow'] },
}

export const contentTypes = [article, person, town, page, story]

export const components: readonly ComponentDefinition[] = [
  { uid: 'section.card', info: { displayName: 'Card' }, attributes: card },
  { uid: 'section.teaser', info: { displayName: 'Teaser' }, attributes: card },
]

/** A text of paragraphs, each with a few words that are bold, and a heading above each ten of them. */
function longText(): readonly unknown[] {
  const words =
    'The river had been quiet for so long that nobody in the town could say when it had last been heard. '
  const paragraph = words.repeat(5)
  const text = (text: string) => ({ type: 'text', text })
  return Array.from({ length: Math.ceil(sizes.letters / paragraph.length) }, (_, i) => [
    ...(i % 10 === 0 ? [{ type: 'heading', level: 2, children: [text(`Chapter ${i / 10 + 1}`)] }] : []),
    {
      type: 'paragraph',
      children: [
        text(paragraph.slice(0, 90)),
        { ...text(paragraph.slice(90, 99)), bold: true },
        text(paragraph.slice(99)),
      ],
    },
  ]).flat()
}

/** Makes the editor and the entries with the long zone and the long text. */
export async function begin(octavo: Octavo): Promise<void> {
  await createEditor(octavo, { ...editor, firstname: 'Ed' })
  const sections = Array.from({ length: sizes.parts }, (_, i) => ({
    __component: i % 3 === 0 ? 'section.teaser' : 'section.card',
    heading: `Heading of part ${i + 1}`,
    text: `A text of some words, as parts of pages have them. This is that of part ${i + 1}.`,
    link: `/pages/${i + 1}`,
    place: i,
    form: i % 2 === 0 ? 'wide' : 'narrow',
  }))
  await octavo
    .entries('page', unrestricted('fills the benchmark'))
    .create({ title: 'A long page', sections } as never)
  await octavo
    .entries('story', unrestricted('fills the benchmark'))
    .create({ title: 'A long story', body: longText() } as never)
}

/** Fills the large tables, in one statement each. Names are made of syllables, so that searches find few, many or none of them. */
export async function fill(client: Client, { articles, people, folders, files }: Extent): Promise<void> {
  await client.query(`
    create temporary table syllables as select array['ka','lo','mi','ru','te','va','no','si','be','du','pha','gri','sto','wen','jul'] as s;
    insert into people (id, name, created_at, updated_at)
      select n, initcap(s[1 + n % 15] || s[1 + n / 15 % 15] || s[1 + n / 225 % 15]) || ' ' || initcap(s[1 + n * 7 % 15] || s[1 + n / 7 % 15]) || ' ' || n,
        now() - n * interval '1 minute', now() - n * interval '1 minute'
      from syllables, generate_series(1, ${people}) as n;
    insert into towns (id, name, created_at, updated_at) select id, name, created_at, updated_at from people;
    insert into octavo_upload_folders (id, name, parent_id, path, created_at, updated_at)
      select n, 'Folder ' || n, case when n > 100 then 1 + n % 100 end,
        case when n > 100 then '/' || (1 + n % 100) else '' end || '/' || n, now(), now()
      from generate_series(1, ${folders}) as n;
  `)
  await client.query(`
    insert into articles (id, title, form, words, locale, published_at, created_at, updated_at, author_id, localization_group)
      select n, 'Article ' || md5(n::text), (array['news', 'review', 'essay'])[1 + n % 3], n % 4000, 'en',
        case when n % 4 > 0 then now() end, now() - n * interval '1 minute', now() - n * interval '1 minute', n, n
      from generate_series(1, ${articles}) as n;
    insert into files (id, name, hash, ext, mime, size, url, provider, folder_path, created_at, updated_at)
      select n, 'file-' || n || '.pdf', 'file_' || n, '.pdf', 'application/pdf', n % 900 + 1, '/uploads/file_' || n || '.pdf', 'local',
        case when n % 10 = 0 then '/' else (select path from octavo_upload_folders where id = 1 + n % ${folders}) end, now() - n * interval '1 minute', now()
      from generate_series(1, ${files}) as n;
  `)
  for (const table of ['articles', 'people', 'towns', 'files', 'octavo_upload_folders'])
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}; analyze ${table}`,
    )
}
