import {
  createOctavo,
  defineComponent,
  defineContentType,
  type Logger,
  type Octavo,
  type QueryInput,
  silentLogger,
  sql,
} from '@octavo/core'
import { checkDefinitions } from '@octavo/core/internal'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    seo: { type: 'component', component: 'shared.seo' },
    blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
  },
})
const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string' },
    articles: {
      type: 'relation',
      relation: 'oneToMany',
      target: 'api::article.article',
      mappedBy: 'author',
    },
    notes: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', private: true },
  },
})
const seo = defineComponent({
  uid: 'shared.seo',
  attributes: { writer: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' } },
})
const quote = defineComponent({ uid: 'shared.quote', attributes: { text: { type: 'string' } } })

/** A content-type with an attribute of the name that a plugin uses. */
const sea = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'sea', pluralName: 'seas' },
  attributes: { deep: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' } },
})
const warnings: string[] = []

/** A parameter for every place, and one for the root alone. */
const tenants = definePlugin({
  name: 'tenants',
  setup: (host) => {
    host.param('tenant', { read: String, default: '', scope: 'inherit' })
    host.param('region', { read: String, default: '' })
  },
})

let octavo: Octavo
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  octavo = await createOctavo({
    contentTypes: [article, author, sea],
    logger: { ...silentLogger, warn: (_, message) => void warnings.push(message) },
    components: [seo, quote],
    plugins: [tenants],
    database: made.url,
  })
})
afterAll(async () => {
  await octavo?.close()
  await drop?.()
})

const start = (options: object) => createOctavo({ database: 'nowhere', ...options })

/** A definition as `loadContentTypes` marks it. */
const asFile = <D extends object>(definition: D): D => ({
  ...definition,
  [Symbol.for('octavo.source')]: 'content-types/article.json',
})

describe('unknown names', () => {
  it('are errors in options, at any depth, with the nearest known name', async () => {
    await expect(
      start({ contentType: [article], rest: { maxLimt: 5 }, limits: { dept: 3 } }),
    ).rejects.toThrow(
      'createOctavo: there is no option "contentType"; did you mean "contentTypes"?; there is no option "rest.maxLimt"; did you mean "maxLimit"?; there is no option "limits.dept"; did you mean "depth"?',
    )
  })

  it('do not include the keys of loadContentTypes', () => {
    const loaded = {
      contentTypes: [article, author],
      components: [seo, quote],
      extensions: [],
      sources: new Map(),
    }
    expect(() => checkDefinitions({ ...loaded })).not.toThrow()
  })

  it('are errors in definitions that are code', async () => {
    const wrong = {
      ...article,
      colectionName: 'x',
      options: { draftAndPublsh: true },
      attributes: { title: { type: 'string', requred: true } },
    }
    const refused = start({ contentTypes: [wrong] })
    await expect(refused).rejects.toThrow(
      'colectionName: there is no such key; did you mean "collectionName"?',
    )
    await expect(refused).rejects.toThrow(
      'options.draftAndPublsh: there is no such key; did you mean "draftAndPublish"?',
    )
    await expect(refused).rejects.toThrow(
      'attributes.title.requred: there is no such key; did you mean "required"?',
    )
  })

  it('are warnings in definitions that are files', () => {
    const warnings: string[] = []
    const logger: Logger = { ...silentLogger, warn: (_, message) => void warnings.push(message) }
    const file = { ...article, attributes: { title: { type: 'string', requred: true } } }
    checkDefinitions({ contentTypes: [asFile(file)], logger })
    expect(warnings).toEqual([
      'content-types/article.json: attributes.title.requred: there is no such key; did you mean "required"?',
    ])
  })

  it('are bounds that an attribute type does not have, and a mark that is no flag', () => {
    const warnings: string[] = []
    const logger: Logger = { ...silentLogger, warn: (_, message) => void warnings.push(message) }
    const file = {
      ...article,
      options: { draftAndPublish: 'true' },
      attributes: {
        title: { type: 'string', max: 80, min: null },
        pages: { type: 'integer', minLength: 1, max: 900 },
        day: { type: 'date', min: 5 },
        size: { type: 'decimal', min: 0, max: 9.5 },
        code: { type: 'uid', minLength: 2, maxLength: 8 },
      },
    }
    checkDefinitions({ contentTypes: [asFile(file)], logger })
    const at = 'content-types/article.json:'
    expect(warnings).toEqual([
      `${at} options.draftAndPublish: must be true or false; "true" counts as false`,
      `${at} attributes.title.max: has no effect on the type "string"; did you mean "maxLength"?`,
      `${at} attributes.pages.minLength: has no effect on the type "integer"; did you mean "min"?`,
      `${at} attributes.day.min: has no effect on the type "date"`,
    ])
  })

  it('are errors in the queries of programs', async () => {
    await expect(octavo.entries('article').find({ filtres: { title: 'x' } })).rejects.toMatchObject({
      status: 400,
      code: 'query/unknown-parameter',
      message: 'There is no parameter "filtres"; did you mean "filters"?',
    })
    expect((await octavo.entries('article').find({ filters: { title: 'x' } })).data).toEqual([])
  })

  const noParameter = (name: string, hint: string) => `There is no parameter "${name}"${hint}`
  const nothing = (at: string, name: string, hint = '') =>
    `${at}: there is nothing to populate under the name "${name}"${hint}`
  it.each<[QueryInput, string | RegExp]>([
    [{ pagination: { pagesize: 1 } }, noParameter('pagination.pagesize', '; did you mean "pageSize"?')],
    [{ populate: 'athor' }, nothing('populate', 'athor', '; did you mean "author"?')],
    [{ populate: 'author.artcles' }, nothing('populate', 'artcles', '; did you mean "articles"?')],
    [{ populate: ['seo', 'title'] }, nothing('populate.1', 'title')],
    [{ populate: { author: true, athor: true } }, nothing('populate', 'athor', '; did you mean "author"?')],
    [
      { populate: { author: { filtres: {} } } },
      noParameter('populate.author.filtres', '; did you mean "filters"?'),
    ],
    [
      { populate: { author: { populate: { articles: { pagination: { start: 1 } } } } } },
      noParameter(
        'populate.author.populate.articles.pagination',
        '; there are fields, populate, sort, filters, start, limit, page, pageSize, count, tenant',
      ),
    ],
    [{ populate: { author: { region: 'x' } } }, /^There is no parameter "populate.author.region"/],
    [{ populate: { author: { populate: 'notes' } } }, nothing('populate.author.populate', 'notes')],
    [{ populate: { seo: { count: true } } }, /^There is no parameter "populate.seo.count"/],
    [
      { populate: { blocks: { populate: ['writr'] } } },
      nothing('populate.blocks.populate.0', 'writr', '; did you mean "writer"?'),
    ],
    [
      { populate: { blocks: { on: { 'shared.qote': true } } } },
      nothing('populate.blocks.on', 'shared.qote', '; did you mean "shared.quote"?'),
    ],
    [
      { populate: { blocks: { on: { 'shared.seo': { populate: { writer: { field: 'name' } } } } } } },
      noParameter('populate.blocks.on.shared.seo.populate.writer.field', '; did you mean "fields"?'),
    ],
  ])('are errors in the queries of programs, nested ones too: %j', async (query, message) => {
    await expect(octavo.entries('article').find(query)).rejects.toMatchObject({
      status: 400,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })

  it.each<QueryInput>([
    { populate: '*', tenant: 'x', region: 'y', sort: undefined, nothing: undefined },
    { populate: 'author.articles, seo.writer,blocks.*' },
    { populate: { author: { fields: 'name', tenant: 'x', start: 0 }, seo: '*', blocks: { on: {} } } },
    { populate: { 0: 'seo', author: { populate: { articles: { count: true } } } } },
    { populate: { blocks: { on: { 'shared.quote': { fields: ['text'] } }, populate: 'writer' } } },
  ])('are not the names that exist: %j', async (query) => {
    expect((await octavo.entries('article').find(query)).data).toEqual([])
  })

  it('in a URL fill no memory: the first thousand are logged', async () => {
    const logged: string[] = []
    const made = await createTestDatabase()
    const other = await createOctavo({
      contentTypes: [article, author],
      components: [seo, quote],
      logger: { ...silentLogger, warn: (_, message) => void logged.push(message) },
      database: made.url,
    })
    const type = other.registry.contentType('api::article.article')
    for (let i = 0; i < 1100; i++) {
      // Refused before a statement is made.
      const query = `unknown${i}=x&sort=nothing`
      await expect(
        other.read({ type, action: 'find', kind: 'list', query, state: {} }),
      ).rejects.toMatchObject({ status: 400 })
    }
    expect(logged).toHaveLength(1000)
    await other.close()
    await made.drop()
  })

  it('in a URL are ignored, as clients send them', async () => {
    const [type] = octavo.registry.contentTypes.values()
    if (!type) throw new Error('There is no type')
    const query = 'filtres[title]=x&populate[athor]=*&populate[author][filtres]=x'
    const { data } = await octavo.read({ type, action: 'find', kind: 'list', query, state: {} })
    expect(data).toBe('[]')
  })
})

describe('parameters of absent plugins', () => {
  const read = async (query: string, named = 'article') => {
    const type = octavo.registry.contentType(`api::${named}.${named}`)
    return octavo.read({ type, action: 'find', kind: 'list', query, state: {} })
  }

  it.each([
    'populate=deep,3',
    'populate=deep, 3',
    'populate=all,2',
    'populate[0]=deep',
    'populate[]=deep&populate[]=3',
    'populate[deep]=true',
    'populate[deep][populate]=*',
    'populate[all]=3',
    'pLevel',
    'pLevel=4',
    'customPopulate=nested',
    'customPopulate=nested&customDepth=4',
    'customIgnored[]=images',
  ])('are refused with what to write: %s', async (query) => {
    await expect(read(query)).rejects.toMatchObject({
      status: 400,
      code: 'query/foreign-parameter',
      message: expect.stringMatching(/which Octavo does not have; name the relations to populate/),
    })
  })

  it('are refused with advice where no alternative exists: randomSort=true', async () => {
    await expect(read('randomSort=true')).rejects.toMatchObject({ code: 'query/foreign-parameter' })
  })

  it('populate=deep alone, which a recorded exchange requires to be answered, is logged once with the alternative', async () => {
    warnings.length = 0
    expect((await read('populate=deep')).data).toBe('[]')
    expect((await read('populate=deep&sort=id')).data).toBe('[]')
    expect((await read('populate=author,all')).data).toBe('[]')
    expect((await read('populate=deep', 'author')).data).toBe('[]')
    expect(warnings).toEqual([
      'populate=deep: this is a parameter of populate-deep, which Octavo does not have; name the relations to populate, such as populate[blocks][populate]=*.',
      'populate=all: this is a parameter of populate-all, which Octavo does not have; name the relations to populate, such as populate[blocks][populate]=*.',
    ])
  })

  it('are names like others where a content-type has them', async () => {
    warnings.length = 0
    for (const query of ['populate=deep', 'populate[deep]=true', 'populate[0]=deep'])
      expect((await read(query, 'sea')).data).toBe('[]')
    expect(warnings).toEqual([])
  })
})

it('A handler and an operator for a content-type with a misspelt uid are named at the start', async () => {
  const lines: string[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: (_, message) => void lines.push(message),
    child: () => logger,
  }
  const plugin = definePlugin({
    name: 'mine',
    setup: (host) => {
      const types = ['api::artcle.article', 'articles', 'plugin::upload.file', 'api::author.author']
      host.hook('entry:input', (input) => input, { types })
      host.hook('entry:committed', () => {}, { types: ({ uid }) => uid === 'api::artcle.article' })
      host.operator('$written', {
        on: ['string'],
        meaning: 'is the name of an author who has written',
        example: 'Ada',
        read: String,
        sql: (value, name) => sql`${value} = ${name}::text`,
        reads: ['api::author.author', 'api::artcle.article', 'plugin::upload.file'],
      })
    },
  })
  const database = await createTestDatabase()
  const octavo = await createOctavo({
    contentTypes: [article, author],
    components: [seo, quote],
    plugins: [plugin],
    database: database.url,
    logger,
  })
  await octavo.close()
  await database.drop()
  expect(lines).toEqual([
    ...['api::artcle.article', 'articles'].map(
      (uid) =>
        `Plugin "mine" in entry:input: there is no content-type "${uid}"; did you mean "api::article.article"? The handler never runs for it.`,
    ),
    'Plugin "mine": the filter operator "$written" reads the content-type "api::artcle.article", which does not exist; did you mean "api::article.article"? Its writes leave cached answers as they are.',
  ])
})
