import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { silentLogger } from '@octavo/core'
import { checkDefinitions } from '@octavo/core/internal'
import type { Registry } from '@octavo/core/plugin'
import { octavoOptions } from '@octavo/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  copyFiles,
  InvalidEntriesError,
  importStrapi,
  openSource,
  type Problem,
  planImport,
  planText,
  toDefinitions,
} from '../src/index.ts'
import { changedArchive, type Lines, partialArchive, renamedArchive, unpackingTo } from './archives.ts'
import { emptySite, fixture, fixtureKey, type Site } from './fixture.ts'
import { pluginsOf } from './plugins.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-broken-'))
})
afterAll(() => rm(folder, { recursive: true }))

const file = (name: string): string => path.join(folder, name)

const article = 'api::article.article'
const author = 'api::author.author'
const user = 'plugin::users-permissions.user'

/** The values of an entry, to be changed. */
function dataOf({ entities }: Lines, type: string, id: number): Record<string, unknown> {
  const found = entities.find((entity) => entity.type === type && entity.id === id)
  if (!found) throw new Error(`The fixture has no ${type} ${id}`)
  return found.data as Record<string, unknown> // the test's own copy
}

const added = (lines: Lines, type: string, like: number, id: number, values: object): void => {
  lines.entities.push({ type, id, data: { ...dataOf(lines, type, like), ...values } })
}

describe('An archive that cannot be read', () => {
  it.each<[string, () => Promise<void>, string, { key?: string }?]>([
    [
      'is cut short in its compression',
      async () => writeFile(file('x'), (await readFile(fixture('export.tar.gz'))).subarray(0, 20_000)),
      'is cut short or damaged',
    ],
    [
      'is cut short, not compressed',
      async () =>
        writeFile(file('x'), gunzipSync(await readFile(fixture('export.tar.gz'))).subarray(0, 150_000)),
      'is cut short',
    ],
    [
      'is cut short between two of its files',
      async () => {
        const tar = gunzipSync(await readFile(fixture('export.tar.gz')))
        await writeFile(file('x'), tar.subarray(0, tar.lastIndexOf('metadata.json')))
      },
      'with which every export ends',
    ],
    ...(['schemas/', 'configuration/', 'metadata.json'] as const).map(
      (name): [string, () => Promise<void>, string] => [
        `is cut short in ${name}`,
        async () => {
          const tar = gunzipSync(await readFile(fixture('export.tar.gz')))
          await writeFile(file('x'), tar.subarray(0, tar.lastIndexOf(name) + 520))
        },
        'is cut short or damaged: Unexpected end of data.',
      ],
    ),
    ['is empty', () => writeFile(file('x'), ''), 'is empty'],
    ['is something else', () => writeFile(file('x'), 'hello'), 'is neither a tar'],
    ['is encrypted, without a key', () => copyFile(fixture('export.tar.gz.enc'), file('x')), '--key'],
    [
      'is encrypted with another key',
      () => copyFile(fixture('export.tar.gz.enc'), file('x')),
      'does not open with this key',
      { key: `${fixtureKey}!` },
    ],
    ['is not there', () => rm(file('x'), { force: true }), 'there is no file'],
  ])('%s', async (_, make, message, options) => {
    await make()
    await expect(openSource(file('x'), options).then((source) => source.outline())).rejects.toThrow(message)
  })

  it.each([
    ['entities/entities_00001.jsonl', 'entities_00001.jsonl: line 1 is longer than 32 MiB'],
    ['links/links_00001.jsonl', 'links_00001.jsonl: line 1 is longer than 32 MiB'],
    ['schemas/schemas_00001.jsonl', 'its schemas and settings have more than 64 MiB'],
    ['configuration/configuration_00001.jsonl', 'its schemas and settings have more than 64 MiB'],
    ['metadata.json', 'metadata.json has more than 1024 KiB'],
  ])('S-41: has one line of 700 MiB in %s, and few bytes', async (name, message) => {
    await unpackingTo(file('bomb'), name, 700)
    expect((await stat(file('bomb'))).size).toBeLessThan(1_000_000)
    const source = await openSource(file('bomb'))
    const read = async (list: AsyncIterable<unknown>) => {
      for await (const _ of list);
    }
    const reading = name.startsWith('entities')
      ? read(source.entities())
      : name.startsWith('links')
        ? read(source.links())
        : source.outline()
    await expect(reading).rejects.toThrow(message)
  })

  it.each<[string, (lines: Lines) => void, string]>([
    [
      'an entry without an id',
      ({ entities }) => Object.assign(entities[3] as object, { id: '4' }),
      'entities/entities_00001.jsonl, line 4: an entry has a "type", a whole number as its "id"',
    ],
    [
      'a link with another position',
      ({ links }) => Object.assign(links[6]?.right as object, { pos: {} }),
      'links/links_00001.jsonl, line 7: a link has a "left" and a "right"',
    ],
    [
      'a schema with an attribute that is none',
      ({ schemas }) => Object.assign(schemas[1] as object, { attributes: { a: null } }),
      'schemas/schemas_00001.jsonl, line 2: a schema has a "uid", and "attributes" that are objects',
    ],
  ])('has %s, and says in which line', async (_, change, message) => {
    await changedArchive(file('x'), change)
    const source = await openSource(file('x'))
    const reading = async () => {
      await source.outline()
      for (const list of [source.entities(), source.links()]) for await (const _ of list);
    }
    await expect(reading()).rejects.toThrow(message)
  })

  it.each([
    ['entities/entities_00001.jsonl', 'entities/entities_00002.jsonl', 'entities/entities_00001.jsonl'],
    ['links/links_00001.jsonl', 'links/links_00003.jsonl', 'links/links_00001.jsonl'],
    ['entities/entities_00001.jsonl', 'entities/more/entities_00001.jsonl', 'entities/entities_00001.jsonl'],
    ['entities/entities_00001.jsonl', 'entities_00001.jsonl', 'entities/entities_00001.jsonl'],
  ])('has %s as %s', async (from, to, missing) => {
    await renamedArchive(file('x'), from, to)
    await expect((await openSource(file('x'))).outline()).rejects.toThrow(
      `x has no ${missing}, which other files of it need: it is not complete.`,
    )
  })

  it('has no entries, since strapi export was given --only files or --exclude content', async () => {
    await partialArchive(file('x'), ['entities', 'links'])
    await expect((await openSource(file('x'))).outline()).rejects.toThrow(
      'x has no entries, which every project has: strapi export was given --only or --exclude. Export the content, the files and the configuration.',
    )
  })

  it('is of another version', async () => {
    const tar = gunzipSync(await readFile(fixture('export.tar.gz')))
    const changed = Buffer.from(
      tar.toString('latin1').replace('"version": "4.26.2"', '"version": "5.26.2"'),
      'latin1',
    )
    await writeFile(file('x'), changed)
    await expect((await openSource(file('x'))).outline()).rejects.toThrow('written by version 5.26.2')
  })

  it.each(['mysql://localhost/old', 'sqlite:./data.db'])('is a database of another kind: %s', async (url) => {
    await expect(openSource(url)).rejects.toThrow('run strapi export')
  })
})

const cases: readonly [kind: string, change: (lines: Lines) => void, problem: object][] = [
  [
    'a link to a missing entry',
    ({ links }) =>
      links.push({
        left: { type: article, field: 'author', ref: 4 },
        right: { type: author, ref: 999, field: 'articles', pos: 1 },
      }),
    {
      kind: 'dangling link',
      type: article,
      id: 4,
      message: '"author" leads to api::author.author 999, which does not exist',
    },
  ],
  [
    'a link of a missing entry',
    ({ links }) =>
      links.push({ left: { type: article, field: 'author', ref: 999 }, right: { type: author, ref: 1 } }),
    {
      kind: 'dangling link',
      type: article,
      id: 999,
      message: 'was deleted, but its link "author" to api::author.author 1 is still there',
    },
  ],
  [
    'a link to a missing content-type',
    ({ links }) =>
      links.push({
        left: { type: article, field: 'author', ref: 4 },
        right: { type: 'api::gone.gone', ref: 1 },
      }),
    { kind: 'dangling link', type: article, id: 4, message: expect.stringContaining('api::gone.gone 1') },
  ],
  [
    'an entry of an unknown content-type',
    ({ entities }) => entities.push({ type: 'api::gone.gone', id: 3, data: {} }),
    { kind: 'unknown type', type: 'api::gone.gone', id: 3, message: expect.any(String) },
  ],
  [
    'a component that is unknown',
    (lines) => (dataOf(lines, article, 4).blocks as object[]).push({ __component: 'blocks.gone', id: 1 }),
    { kind: 'unknown component', type: article, id: 4, message: expect.stringContaining('blocks.gone') },
  ],
  [
    'a text that is too long',
    (lines) => Object.assign(dataOf(lines, article, 4), { title: 'x'.repeat(121) }),
    { kind: 'value', type: article, id: 4, message: expect.stringContaining('"title" must be at most 120') },
  ],
  [
    'a value that is not in the enumeration',
    (lines) => Object.assign(dataOf(lines, article, 4), { status: 'gossip' }),
    { kind: 'value', type: article, id: 4, message: expect.stringContaining('"status" must be one of') },
  ],
  [
    'a value of another type',
    (lines) => Object.assign(dataOf(lines, article, 4), { views: 'many' }),
    { kind: 'value', type: article, id: 4, message: expect.stringContaining('"views" must be') },
  ],
  [
    'a value of a component that is forbidden',
    (lines) => Object.assign(dataOf(lines, article, 4).seo as object, { metaTitle: 5 }),
    { kind: 'value', type: article, id: 4, message: expect.stringContaining('"seo.metaTitle" must be') },
  ],
  [
    'a value in the place of a component',
    (lines) => Object.assign(dataOf(lines, article, 6), { seo: 0 }),
    { kind: 'value', type: article, id: 6, message: '"seo" must be a component' },
  ],
  [
    'a value in the place of a list of components',
    (lines) => Object.assign(dataOf(lines, article, 7), { blocks: 'none' }),
    { kind: 'value', type: article, id: 7, message: '"blocks" must be a list' },
  ],
  [
    'a component without an id',
    (lines) => Object.assign(dataOf(lines, article, 4).seo as object, { id: undefined }),
    {
      kind: 'value',
      type: article,
      id: 4,
      message: '"seo.id" must be a whole number from 1 to 2147483647, not undefined',
    },
  ],
  [
    'more digits than a decimal keeps, as a project on SQLite may have them',
    (lines) => Object.assign(dataOf(lines, article, 8), { rating: 48.8566 }),
    {
      kind: 'value',
      type: article,
      id: 8,
      message:
        '"rating" must have at most two digits after the point, as a decimal keeps no more (and a float all), not 48.8566',
    },
  ],
  [
    'an id that no table has',
    (lines) => added(lines, article, 4, 2 ** 31, { blocks: [], links: [], seo: null, slug: 'huge' }),
    {
      kind: 'value',
      type: article,
      id: 2 ** 31,
      message: '"id" must be a whole number from 1 to 2147483647',
    },
  ],
  [
    'two locales with one code',
    (lines) => added(lines, 'plugin::i18n.locale', 1, 91, {}),
    {
      kind: 'doubled value',
      type: 'plugin::i18n.locale',
      id: 91,
      message: expect.stringContaining('which 1 has too'),
    },
  ],
  [
    'a unique value that occurs twice',
    (lines) => added(lines, article, 4, 901, { blocks: [], links: [], seo: null }),
    {
      kind: 'doubled value',
      type: article,
      id: 901,
      message: expect.stringContaining('"slug" is "article-4"'),
    },
  ],
  [
    'two entries of a single type in one locale',
    (lines) => added(lines, 'api::homepage.homepage', 1, 901, { blocks: [] }),
    {
      kind: 'doubled value',
      type: 'api::homepage.homepage',
      id: 901,
      message: expect.stringContaining('"locale" is "en", which 1 has too'),
    },
  ],
  [
    'an email in two cases',
    (lines) => added(lines, user, 1, 901, { username: 'reader2', email: 'Reader@Example.org' }),
    { kind: 'doubled email', type: user, id: 901, message: expect.stringContaining('that of user 1') },
  ],
  [
    'an id that occurs twice',
    (lines) => added(lines, 'api::tag.tag', 1, 1, { name: 'again' }),
    { kind: 'doubled id', type: 'api::tag.tag', id: 1, message: expect.any(String) },
  ],
  [
    'a component of two entries',
    (lines) => Object.assign(dataOf(lines, article, 5), { seo: dataOf(lines, article, 4).seo }),
    {
      kind: 'value',
      type: expect.any(String),
      id: expect.any(Number),
      message: expect.stringContaining('part of another entry'),
    },
  ],
  [
    'two localizations in one locale',
    (lines) => {
      const pair = lines.links.find(({ left }) => left.type === article && left.field === 'localizations')
      const { locale } = dataOf(lines, article, pair?.right.ref ?? 0)
      Object.assign(dataOf(lines, article, pair?.left.ref ?? 0), {
        locale,
        updatedAt: '2001-01-01T00:00:00.000Z',
      })
    },
    {
      kind: 'doubled locale',
      type: article,
      id: expect.any(Number),
      message: expect.stringContaining('a localization in'),
    },
  ],
]

describe('The report', () => {
  let registry: Registry
  beforeAll(async () => {
    const { schemas } = await (await openSource(fixture('export.tar.gz'))).outline()
    const definitions = toDefinitions(schemas)
    registry = checkDefinitions(
      octavoOptions({
        contentTypes: definitions.contentTypes,
        components: definitions.components,
        plugins: pluginsOf(definitions, folder),
      }),
    )
  })

  it.each(cases)('names %s', async (_, change, problem) => {
    await changedArchive(file('changed.tar.gz'), change)
    const source = await openSource(file('changed.tar.gz'))
    const { firstProblems, firstDropped } = await planImport(source, await source.outline(), registry)
    const isDropped = (problem as Problem).kind === 'dangling link'
    expect(isDropped ? firstDropped : firstProblems).toContainEqual(problem)
    if (isDropped) expect(firstProblems).toEqual([])
  })

  it('reports that the configuration was left out of the export, with its default locale', async () => {
    await partialArchive(file('x'), ['configuration'])
    const report = async (archive: string) => {
      const source = await openSource(archive)
      return planText(await planImport(source, await source.outline(), registry))
    }
    const sentence =
      'The source has no settings, as after strapi export --only content or --exclude config: the default locale'
    expect(await report(file('x'))).toContain(sentence)
    expect(await report(fixture('export.tar.gz'))).not.toContain(sentence)
  })

  it('reports no problem with the fixture, and counts the imported data', async () => {
    const source = await openSource(fixture('export.tar.gz'))
    const plan = await planImport(source, await source.outline(), registry)
    expect(plan.firstProblems).toEqual([])
    expect(plan.types.find(({ uid }) => uid === article)).toEqual({
      uid: article,
      entries: 55,
      comes: 55,
      problems: 0,
      note: '',
    })
    expect(planText(plan)).toContain('api::restaurant.restaurant                 32    32')
  })
})

describe('An archive with all of these', () => {
  let site: Site
  beforeAll(async () => {
    await changedArchive(file('changed.tar.gz'), (lines) => {
      for (const [, change] of cases) change(lines)
    })
    site = await emptySite(await openSource(fixture('export.tar.gz')))
  })
  afterAll(() => site.close())

  it('is refused with a line for each, and nothing is written, no file either', async () => {
    const source = await openSource(file('changed.tar.gz'))
    let copied = 0
    const refused = importStrapi(site.server.octavo, source, await source.outline(), {
      copyFiles: async () => void copied++,
    })
    await expect(refused).rejects.toThrow(InvalidEntriesError)
    await expect(refused).rejects.toThrow('\n- api::article.article ')
    await expect(refused).rejects.not.toThrow('leads to api::author.author 999')
    expect(copied).toBe(0)
    const [[count] = []] = await site.server.octavo.store.query('select count(*) from "authors"')
    expect(Number(count)).toBe(0)
  })

  it('is imported without them with skipInvalid, and both sides agree on the rest', async () => {
    const source = await openSource(file('changed.tar.gz'))
    const problems: Problem[] = []
    const { comparisons } = await importStrapi(site.server.octavo, source, await source.outline(), {
      skipInvalid: true,
      onProblem: (found) => problems.push(found),
    })
    for (const kind of new Set(cases.map(([, , problem]) => (problem as Problem).kind)))
      expect(problems.map((found) => found.kind)).toContain(kind)
    expect(comparisons.filter(({ agrees }) => !agrees)).toEqual([])
    expect(comparisons.find(({ uid }) => uid === author)?.target.rows).toBe(12)
    // Article 4 has forbidden values, and the copy of it a slug that is taken.
    const rows = await site.server.octavo.store.query('select id from "articles" where id in (4, 901)')
    expect(rows).toEqual([])
  })
})

describe('An archive of a database in use, with links of deleted entries', () => {
  it('is imported: they are dropped, counted and listed', async () => {
    const removed = 'plugin::upload.file'
    await changedArchive(file('used.tar.gz'), ({ links }) => {
      links.push(
        { left: { type: article, field: 'author', ref: 4 }, right: { type: author, ref: 999 } },
        { left: { type: article, field: 'author', ref: 998 }, right: { type: author, ref: 1 } },
        {
          left: { type: removed, field: 'related', ref: 2 },
          right: { type: article, ref: 997, field: 'gallery' },
        },
        {
          left: { type: removed, field: 'related', ref: 2 },
          right: { type: 'api::gone.gone', ref: 1, field: 'x' },
        },
      )
    })
    const source = await openSource(file('used.tar.gz'))
    const site = await emptySite(source)
    try {
      const listed: Problem[] = []
      let copied = 0
      const { plan, comparisons } = await importStrapi(site.server.octavo, source, await source.outline(), {
        copyFiles: async () => void copied++,
        onProblem: (problem) => listed.push(problem),
      })
      expect(copied).toBe(1)
      expect(comparisons.filter(({ agrees }) => !agrees)).toEqual([])
      expect([plan.linksDropped, plan.problems, listed.length]).toEqual([4, {}, 4])
      expect(listed).toEqual(plan.firstDropped)
      expect(planText(plan)).toContain(
        'api::article.article 997: was deleted, but its link "gallery" to plugin::upload.file 2 is still there',
      )
    } finally {
      await site.close()
    }
  })
})

describe('An archive that is older than the definitions', () => {
  it('is imported: attributes with new names get nothing, which is counted, and both sides agree', async () => {
    await changedArchive(file('older.tar.gz'), (lines) => {
      Object.assign(dataOf(lines, article, 4), { subtitle: 'x' })
      Object.assign(dataOf(lines, article, 4).seo as object, { robots: null })
      // Dates as text, too, may be milliseconds.
      Object.assign(dataOf(lines, article, 4), { updatedAt: '1700000000000', stamp: '-1' })
      const ofAuthors = lines.links.filter(({ left }) => left.type === article && left.field === 'author')
      // The definitions call the attribute texts articles, and the attribute writer author.
      for (const { right } of ofAuthors) Object.assign(right, { field: 'texts' })
      Object.assign(ofAuthors[0]?.left as object, { field: 'writer' })
      Object.assign(ofAuthors[0]?.right as object, { field: 'articles' })
    })
    const source = await openSource(file('older.tar.gz'))
    const site = await emptySite(source)
    try {
      const { plan, comparisons } = await importStrapi(site.server.octavo, source, await source.outline())
      expect(comparisons.filter(({ agrees }) => !agrees)).toEqual([])
      expect(plan.attributesLeftOut).toEqual({ 'api::article.article.subtitle': 1, 'shared.seo.robots': 1 })
      expect(planText(plan)).toContain(
        'which do not come:\n  shared.seo.robots: 1\n  api::article.article.subtitle: 1\n',
      )
      expect(plan.linksLeftOut).toEqual({ 'api::article.article.writer': 1 })
    } finally {
      await site.close()
    }
  })
})

describe('The copy of files', () => {
  it('counts names that no file here can have as missing', async () => {
    await changedArchive(file('names.tar.gz'), (lines) => {
      Object.assign(dataOf(lines, 'plugin::upload.file', 1), { url: '/uploads/report_1.pdf (1)' })
    })
    const { missing } = await copyFiles(await openSource(file('names.tar.gz')), file('uploads'))
    expect(missing).toEqual(['report_1.pdf (1)'])
  })

  it('names the files that are shorter than their rows say', async () => {
    const sizes = new Map<string, number>()
    for await (const { name, size } of (await openSource(fixture('export.tar.gz'))).files())
      sizes.set(name, size)
    const kilobytes = (name: string): number => Math.round((sizes.get(name) ?? 0) / 10) / 100
    await changedArchive(file('shorter.tar.gz'), ({ entities }) => {
      for (const { type, data } of entities) {
        if (type !== 'plugin::upload.file') continue
        const { formats, ...row } = data as { formats: Record<string, { size: number }> | null; size: number }
        for (const one of [row, ...Object.values(formats ?? {})] as {
          hash: string
          ext: string
          size: number
        }[])
          one.size = kilobytes(`${one.hash}${one.ext}`)
        Object.assign(data, row)
      }
      const picture = entities.find(({ type, id }) => type === 'plugin::upload.file' && id === 1)
      Object.assign(picture?.data ?? {}, { size: kilobytes('picture_1.png') + 0.01 })
    })
    const copied = await copyFiles(await openSource(file('shorter.tar.gz')), file('shorter'))
    expect(copied).toMatchObject({ copied: 25, missingCount: 0, shorterCount: 1, shorter: ['picture_1.png'] })
  })
})

describe('An archive of a project whose definitions have keys that nothing reads', () => {
  const withKeys = ({ schemas }: Lines): void => {
    for (const uid of [article, user, 'plugin::upload.file', 'shared.social']) {
      const schema = schemas.find((one) => one.uid === uid)
      if (!schema) throw new Error(`The fixture has no ${uid}`)
      Object.assign(schema.attributes, { teaser: { type: 'string', placeholder: 'Write…' } })
      if (uid === article) Object.assign(schema.info ?? {}, { mainField: 'title' })
    }
  }

  it('is imported, with a warning for each key, as the files of the project are read', async () => {
    await changedArchive(file('keys.tar.gz'), withKeys)
    const source = await openSource(file('keys.tar.gz'))
    const outline = await source.outline()
    const warnings: string[] = []
    const warn = (_: object, message: string): void => void warnings.push(message)
    const site = await emptySite(source, {}, { ...silentLogger, warn })
    try {
      const { comparisons } = await importStrapi(site.server.octavo, source, outline)
      expect(comparisons.filter(({ agrees }) => !agrees)).toEqual([])
      expect(warnings).toEqual(
        expect.arrayContaining([
          'the schema of api::article.article: info.mainField: there is no such key',
          ...[article, user, 'plugin::upload.file', 'shared.social'].map(
            (uid) => `the schema of ${uid}: attributes.teaser.placeholder: there is no such key`,
          ),
        ]),
      )
    } finally {
      await site.close()
    }
  })
})

describe('An archive of a project that has deleted the components of a zone', () => {
  it('is imported without the zone, and the report names it and counts its values', async () => {
    await changedArchive(file('zones.tar.gz'), (lines) => {
      const schema = lines.schemas.find(({ uid }) => uid === article)
      Object.assign(schema?.attributes ?? {}, {
        // As Strapi's editor writes it, and as a person does who deletes the file of the component.
        emptied: { type: 'dynamiczone', components: [] },
        deserted: { type: 'dynamiczone', components: ['blocks.gone'] },
      })
      Object.assign(dataOf(lines, article, 4), {
        emptied: [],
        deserted: [{ __component: 'blocks.gone', id: 1, text: 'x' }],
      })
    })
    const source = await openSource(file('zones.tar.gz'))
    const site = await emptySite(source)
    try {
      const why = 'is a dynamic zone without a component that exists'
      expect(site.definitions.leftOut).toEqual([
        { what: `${article}.emptied`, why },
        { what: `${article}.deserted`, why },
      ])
      const { comparisons, plan } = await importStrapi(site.server.octavo, source, await source.outline())
      expect(comparisons.filter(({ agrees }) => !agrees)).toEqual([])
      expect(plan.attributesLeftOut).toEqual({ [`${article}.emptied`]: 1, [`${article}.deserted`]: 1 })
    } finally {
      await site.close()
    }
  })
})

describe('An archive with entries from before their content-type was localized', () => {
  it.each([null, undefined])(
    'is imported: without a locale (%s) they are in the default one',
    async (locale) => {
      await changedArchive(file('older.tar.gz'), (lines) => {
        dataOf(lines, article, 3).locale = locale
      })
      const source = await openSource(file('older.tar.gz'))
      const site = await emptySite(source)
      try {
        await importStrapi(site.server.octavo, source, await source.outline())
        const rows = await site.server.octavo.store.query('select locale from "articles" where id = 3')
        expect(rows).toEqual([['en']])
      } finally {
        await site.close()
      }
    },
  )
})
