import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DefinitionError } from './definition-error.ts'
import { loadContentTypes } from './load.ts'
import { sourceOf } from './source.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'octavo-load-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true })
})

const write = (file: string, content: unknown): void => {
  mkdirSync(path.join(dir, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(dir, file), typeof content === 'string' ? content : JSON.stringify(content))
}

const type = (singularName: string, keys: object = {}) => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  attributes: {},
  ...keys,
})

const mistakesOf = (load: () => unknown) => {
  try {
    load()
  } catch (error) {
    if (error instanceof DefinitionError) return error.mistakes
    throw error
  }
  throw new Error('It was loaded.')
}

describe('a folder of definitions', () => {
  it('is loaded in the order of names, with uids from the paths', () => {
    write('content-types/tag.json', type('tag', { anything: { else: 1 } }))
    write('content-types/article.json', type('article'))
    write('content-types/own.json', type('own', { uid: 'api::shop.own' }))
    write('content-types/README.md', 'not a definition')
    write('content-types/.hidden.json', 'not a definition')
    write('components/shared/open-graph.json', { attributes: {} })
    const { contentTypes, components, sources } = loadContentTypes(dir)
    expect(contentTypes.map(({ uid }) => uid)).toEqual([
      'api::article.article',
      'api::shop.own',
      'api::tag.tag',
    ])
    expect(contentTypes[2]?.anything).toEqual({ else: 1 })
    expect(components.map(({ uid }) => uid)).toEqual(['shared.open-graph'])
    expect([...sources]).toEqual([
      ['api::article.article', 'content-types/article.json'],
      ['api::shop.own', 'content-types/own.json'],
      ['api::tag.tag', 'content-types/tag.json'],
      ['shared.open-graph', 'components/shared/open-graph.json'],
    ])
  })

  it('has the files of its definitions, also in a copy by a plugin', () => {
    write('content-types/article.json', type('article'))
    const [article = type('none')] = loadContentTypes(dir).contentTypes
    expect(sourceOf({ ...article, attributes: {} })).toBe('content-types/article.json')
    expect(JSON.stringify(article)).not.toContain('.json')
  })

  it('needs no components', () => {
    write('content-types/article.json', type('article'))
    expect(loadContentTypes(dir).components).toEqual([])
  })

  it('can have files with a byte order mark', () => {
    write('content-types/article.json', `\uFEFF${JSON.stringify(type('article'))}`)
    expect(loadContentTypes(dir).contentTypes).toHaveLength(1)
  })
})

describe('an existing project', () => {
  it.each(['', 'src'])('is found from its folder "%s"', (from) => {
    write('src/api/blog/content-types/article/schema.json', type('article'))
    write('src/api/blog/content-types/article/lifecycles.js', '')
    write('src/api/blog/content-types/empty/other.json', '{')
    write('src/api/blog/routes/article.js', '')
    write('src/api/.gitkeep', '')
    write('src/components/shared/seo.json', { attributes: {} })
    const { contentTypes, components } = loadContentTypes(path.join(dir, from))
    expect(contentTypes.map(({ uid }) => uid)).toEqual(['api::blog.article'])
    expect(components.map(({ uid }) => uid)).toEqual(['shared.seo'])
  })

  it('includes its extensions of plugins’ content-types, with their files', () => {
    write('src/api/blog/content-types/article/schema.json', type('article'))
    const user = 'src/extensions/users-permissions/content-types/user/schema.json'
    write(user, { attributes: { job: { type: 'string' } } })
    write('src/extensions/upload/strapi-server.js', '')
    const { contentTypes, extensions, sources } = loadContentTypes(dir)
    expect(contentTypes).toHaveLength(1)
    expect(extensions).toMatchObject([
      { uid: 'plugin::users-permissions.user', attributes: { job: { type: 'string' } } },
    ])
    expect(sources.get('plugin::users-permissions.user')).toBe(user)
    write(user, '{')
    expect(mistakesOf(() => loadContentTypes(dir)).map(({ source }) => source)).toEqual([user])
  })
})

describe('loadContentTypes rejects', () => {
  it('a folder without definitions, one that is not there, and a file', () => {
    const messageOf = (folder: string) => mistakesOf(() => loadContentTypes(folder))[0]?.message
    expect(messageOf(dir)).toContain('content-types, src/api, api')
    expect(messageOf(path.join(dir, 'nowhere'))).toBe('there is no such folder')
    write('a.json', '{}')
    expect(messageOf(path.join(dir, 'a.json'))).toContain('is a file; name the folder')
  })

  it('files that cannot be read, or whose characters are not those of UTF-8', () => {
    write('content-types/author.json', type('author'))
    write('content-types/article/schema.json', type('article'))
    const text = JSON.stringify(type('café', { options: { comment: 'Crème' } }))
    write('content-types/latin.json', '')
    writeFileSync(path.join(dir, 'content-types/latin.json'), Buffer.from(text, 'latin1'))
    writeFileSync(path.join(dir, 'content-types/wide.json'), Buffer.from(`\uFEFF${text}`, 'utf16le'))
    symlinkSync('article', path.join(dir, 'content-types/folder.json'))
    expect(
      mistakesOf(() => loadContentTypes(dir)).map(({ source, message }) => `${source}: ${message}`),
    ).toEqual([
      expect.stringMatching(/^content-types\/folder\.json: cannot be read: EISDIR/),
      'content-types/latin.json: is not in UTF-8; save it in this encoding',
      'content-types/wide.json: is not in UTF-8; save it in this encoding',
    ])
  })

  it('all files that are not JSON objects, by line and column', () => {
    write('content-types/a.json', '{\n  "kind": "collectionType",\n}')
    write('content-types/b.json', '[]')
    write('content-types/c.json', '')
    write('components/shared/seo.json', '{"attributes": {')
    expect(
      mistakesOf(() => loadContentTypes(dir)).map(({ source, message }) => `${source}: ${message}`),
    ).toEqual([
      'content-types/a.json: is no JSON: line 3, column 1: expected a name in double quotes and a colon',
      'content-types/b.json: must hold an object',
      'content-types/c.json: is no JSON: line 1, column 1: expected a value',
      'components/shared/seo.json: is no JSON: line 1, column 17: expected a comma or the closing bracket',
    ])
  })
})
