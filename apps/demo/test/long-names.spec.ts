/** Names that are longer than PostgreSQL's: of content-types, components, tables and attributes of every kind, with all plugins. */
import { type AttributeDefinition, type ContentTypeDefinition, silentLogger } from '@octavo/core'
import { changes } from '@octavo/plugin-changes'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { openapi } from '@octavo/plugin-openapi'
import { upload } from '@octavo/plugin-upload'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'

/** 120 characters that differ behind the 63 bytes of an identifier. */
const long = (end: string, between = '_'): string => {
  const words = 'a name that somebody typed without a thought of the columns of a database'.split(' ')
  return `${[...words, ...words].join(between).slice(0, 118 - end.length)}x${between}${end}`
}
const section = `sections.${long('section', '-')}`
const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const localized = { pluginOptions: { i18n: { localized: true } } }
const type = (end: string, attributes: Record<string, AttributeDefinition>): ContentTypeDefinition => ({
  kind: 'collectionType',
  collectionName: long(`${end}_table`),
  info: { singularName: long(end, '-'), pluralName: long(`${end}s`, '-') },
  options: { draftAndPublish: true },
  ...localized,
  attributes,
})
const uidOf = (end: string): string => `api::${long(end, '-')}.${long(end, '-')}`
const tag = type('tag', {
  [long('name')]: { type: 'string', unique: true },
  [long('articles')]: {
    type: 'relation',
    relation: 'manyToMany',
    target: uidOf('article'),
    mappedBy: long('tags'),
  },
})
const article = type('article', {
  [long('title')]: { type: 'string', required: true, ...localized },
  [long('titles')]: { type: 'uid', targetField: long('title'), ...localized },
  [long('views')]: { type: 'integer' },
  [long('tags')]: {
    type: 'relation',
    relation: 'manyToMany',
    target: uidOf('tag'),
    inversedBy: long('articles'),
  },
  [long('main')]: { type: 'relation', relation: 'manyToOne', target: uidOf('tag') },
  [long('cover')]: { type: 'media', multiple: false },
  [long('part')]: { type: 'component', component: section, ...localized },
  [long('parts')]: { type: 'component', component: section, repeatable: true, ...localized },
  [long('body')]: { type: 'dynamiczone', components: [section], ...localized },
})
const components = [
  {
    uid: section,
    collectionName: long('sections_table'),
    attributes: {
      [long('text')]: { type: 'string' },
      [long('tag')]: { type: 'relation', relation: 'oneToOne', target: uidOf('tag') },
    },
  },
] as const

it('are written, read, filtered, sorted, searched, localized and published', async () => {
  const database = await createTestDatabase()
  const options = {
    contentTypes: [tag, article],
    components,
    plugins: [i18n({ locales: ['en', 'fr'] }), draftPublish(), upload(), openapi(), graphql(), changes()],
    database: database.url,
    access: 'open',
    logger: silentLogger,
  } as const
  const first = await createServer(options)
  await first.close()
  // The second start compares the tables with the definitions, and has nothing to change.
  const server = await createServer(options)
  try {
    const api = createClient((await server.listen(0, '127.0.0.1')).url)
    const [tags, articles] = [`/api/${long('tags', '-')}`, `/api/${long('articles', '-')}`]
    const named = await api.post(tags, { body: { data: { [long('name')]: 'red' } } })
    expect(named.body).toMatchObject({ data: { attributes: { [long('name')]: 'red' } } })
    const red = named.body.data.id
    const again = await api.post(tags, { body: { data: { [long('name')]: 'red' } } })
    expect(again.body.error).toMatchObject({ status: 400, message: 'This attribute must be unique' })
    const part = { [long('text')]: 'words', [long('tag')]: red }
    const data = {
      [long('title')]: 'First',
      [long('views')]: 3,
      [long('tags')]: [red],
      [long('main')]: red,
      [long('part')]: part,
      [long('parts')]: [part, part],
      [long('body')]: [{ __component: section, ...part }],
    }
    const made = await api.post(`${articles}?populate=*`, { body: { data } })
    expect(made.body.data?.attributes, JSON.stringify(made.body.error)).toMatchObject({
      [long('title')]: 'First',
      [long('tags')]: { data: [{ id: red }] },
      [long('main')]: { data: { id: red } },
      [long('parts')]: [{ [long('text')]: 'words' }, { [long('text')]: 'words' }],
      [long('body')]: [{ __component: section, [long('text')]: 'words' }],
    })
    const { id } = made.body.data
    const french = await api.post(`${articles}/${id}/localizations`, {
      body: { locale: 'fr', [long('title')]: 'Premier' },
    })
    expect(french.body, JSON.stringify(french.body)).toMatchObject({ locale: 'fr', [long('views')]: 3 })
    const found = await api.get(
      `${articles}?filters[${long('tags')}][${long('name')}]=red&filters[${long('parts')}][${long('tag')}][${long('name')}]=red` +
        `&sort=${long('main')}.${long('name')}&sort=${long('views')}&fields=${long('title')}&_q=first` +
        `&populate[${long('tags')}][populate]=${long('articles')}&populate[${long('parts')}][populate]=${long('tag')}`,
    )
    expect(found.body.data?.[0], JSON.stringify(found.body)).toMatchObject({
      id,
      attributes: {
        [long('title')]: 'First',
        [long('tags')]: { data: [{ attributes: { [long('articles')]: { data: [{ id }] } } }] },
        [long('parts')]: [{ [long('tag')]: { data: { id: red } } }, { [long('tag')]: { data: { id: red } } }],
      },
    })
    const limited = await api.get(
      `${tags}?publicationState=preview&populate[${long('articles')}][pagination][limit]=1&populate[${long('articles')}][sort]=${long('views')}:desc`,
    )
    expect(limited.body, JSON.stringify(limited.body)).toMatchObject({ data: [{ id: red }] })
    const description = await api.get('/api/openapi.json')
    expect(JSON.stringify(description.body)).toContain(long('views'))
    const views = await api.post('/graphql', {
      body: {
        query: `{ all: ${camelCase(long('articles', '-'))} { data { attributes { views: ${long('views')} } } } }`,
      },
    })
    expect(views.body).toEqual({ data: { all: { data: [{ attributes: { views: 3 } }] } } })
  } finally {
    await server.close()
    await database.drop()
  }
})
