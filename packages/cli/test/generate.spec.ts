/** `octavo generate`, in folders of this package, so that the generated plugin finds its packages. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { command, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const at = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

let parent: string
let folder: string
let count = 0
beforeAll(() => {
  mkdirSync(at('../.octavo'), { recursive: true })
  parent = mkdtempSync(at('../.octavo/generate-'))
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))
beforeEach(() => {
  folder = path.join(parent, String(count++))
  mkdirSync(folder)
})

const generate = (...args: readonly string[]) => command(folder, ['generate', ...args])
const type = (...args: readonly string[]) => generate('type', ...args, '--content', 'content')
const read = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))

describe('octavo generate component', () => {
  const component = (...args: readonly string[]) => generate('component', ...args, '--content', 'content')

  it('adds components that octavo check accepts, and types can have them', async () => {
    expect(await type('author', 'name:string')).toMatchObject({ code: 0 })
    expect(await component('shared.meta-data', 'title:string:required', 'by:relation:author')).toMatchObject({
      code: 0,
      err: '',
      out: 'content/components/shared/meta-data.json: shared.meta-data, for an attribute such as name:component:shared.meta-data\n',
    })
    expect(read('content/components/shared/meta-data.json')).toEqual({
      collectionName: 'components_shared_meta_data',
      info: { displayName: 'Meta data' },
      attributes: {
        title: { type: 'string', required: true },
        by: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      },
    })
    expect(await type('page', 'meta:component:shared.meta-data')).toMatchObject({ code: 0 })
    const checked = await command(folder, ['check', '--content', 'content'])
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('1 component')])
  })

  it('refuses a name that exists, and one without a category', async () => {
    await type('author', 'name:string')
    await component('shared.seo', 'title:string')
    for (const [uid, message] of [
      ['shared.seo', 'shared.seo exists'],
      ['seo', 'like shared.seo'],
      ['Shared.Seo', 'like shared.seo'],
      ['a.b.c', 'like shared.seo'],
    ] as const)
      expect(await component(uid)).toMatchObject({ code: 1, err: expect.stringContaining(message) })
  })
})

describe('octavo generate type', () => {
  it('adds content-types that octavo check accepts, with relations between them', async () => {
    expect(await type('author', 'name:string:required:unique')).toMatchObject({
      code: 0,
      err: '',
      out: 'content/content-types/author.json: api::author.author, served at /authors\n',
    })
    const attributes = [
      'title:string',
      'body:richtext',
      'author:relation:author',
      'related:relation:blog-post:manyToMany',
      'reviewers:relation:api::author.author:manyToMany:private',
      'form:enumeration:news,review:required',
      'slug:uid:title',
      'cover:media',
      'pictures:media:multiple',
    ]
    expect(await type('blog-post', ...attributes, '--draft')).toMatchObject({ code: 0, err: '' })
    expect(read('content/content-types/blog-post.json')).toEqual({
      kind: 'collectionType',
      collectionName: 'blog_posts',
      info: { singularName: 'blog-post', pluralName: 'blog-posts', displayName: 'Blog post' },
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string' },
        body: { type: 'richtext' },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        related: { type: 'relation', relation: 'manyToMany', target: 'api::blog-post.blog-post' },
        reviewers: {
          type: 'relation',
          relation: 'manyToMany',
          target: 'api::author.author',
          private: true,
        },
        form: { type: 'enumeration', enum: ['news', 'review'], required: true },
        slug: { type: 'uid', targetField: 'title', generate: true },
        cover: { type: 'media', multiple: false },
        pictures: { type: 'media', multiple: true },
      },
    })
    const checked = await command(folder, ['check', '--content', 'content'])
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('no mistakes')])
  })

  it('uses the layout of the folder, and the folder of the configuration', async () => {
    mkdirSync(path.join(folder, 'site/src/api'), { recursive: true })
    writeFileSync(
      path.join(folder, 'octavo.config.ts'),
      "export default { content: './site', plugins: [], database: 'memory://' }\n",
    )
    expect(await generate('type', 'category', 'name:string')).toMatchObject({ code: 0, err: '' })
    expect(read('site/src/api/category/content-types/category/schema.json').info.pluralName).toBe(
      'categories',
    )
    expect(await generate('type', 'home', '--single')).toMatchObject({ code: 0, err: '' })
    expect(read('site/src/api/home/content-types/home/schema.json').kind).toBe('singleType')
  })

  it('reads components, which have to exist', async () => {
    mkdirSync(path.join(folder, 'content/components/shared'), { recursive: true })
    writeFileSync(
      path.join(folder, 'content/components/shared/seo.json'),
      '{ "attributes": { "title": { "type": "string" } } }',
    )
    mkdirSync(path.join(folder, 'content/content-types'))
    expect(await type('page', 'seo:component:shared.seo', 'body:dynamiczone:shared.seo')).toMatchObject({
      code: 0,
    })
    expect(await type('post', 'parts:component:shared.soe:repeatable')).toMatchObject({
      code: 1,
      err: expect.stringContaining('shared.seo'),
    })
  })

  it.each([
    [['author', 'name:string'], 'api::author.author exists'],
    [['writer', 'name:string', '--plural', 'authors'], 'api::author.author exists'],
    [['Post'], 'is like blog-post, not "Post"'],
    [['fish', '--plural', 'fish'], 'give another one with --plural'],
    [['post', 'title:strng'], 'title:strng: there is no type "strng" of attributes; did you mean "string"?'],
    [['post', 'title'], 'write an attribute as name:type'],
    [['post', 'title:string:requred'], 'unknown option "requred"; did you mean "required"?'],
    [['post', 'title:string', 'title:text'], 'the attribute title is given twice'],
    [['post', 'author:relation:auther'], 'there is no content-type "auther"; did you mean "author"?'],
    [['post', 'author:relation'], 'write name:relation:target'],
    [['post', 'id:string'], 'id'],
  ])('refuses %j and writes nothing', async (args, message) => {
    await type('author', 'name:string')
    expect(await type(...args)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) })
    expect(readdirSync(path.join(folder, 'content/content-types'))).toEqual(['author.json'])
  })

  it('needs a folder', async () => {
    expect(await generate('type', 'post')).toMatchObject({
      code: 1,
      err: expect.stringContaining('give one with --content'),
    })
  })
})

describe('octavo generate plugin', () => {
  it('writes a package, over no other', async () => {
    expect(await launch(folder, ['generate', 'plugin', 'audit-log']).ended).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining("import { auditLog } from './plugins/audit-log/src/index.ts'"),
    })
    const cwd = path.join(folder, 'plugins/audit-log')
    const { engines, peerDependencies, devDependencies } = read('plugins/audit-log/package.json')
    // The workspace has no released version; packages/cli/walk tests the range of one that is packed.
    expect(engines).toEqual({ node: '>=22.22', octavo: '*' })
    expect(readFileSync(path.join(cwd, 'src/index.ts'), 'utf8')).toContain("engines: { octavo: '*' }")
    expect(Object.keys(peerDependencies)).toEqual(['@octavo/core', '@octavo/server'])
    expect(devDependencies).toHaveProperty('@octavo/testing')
    // Existing files are not overwritten.
    expect(await generate('plugin', 'audit-log')).toMatchObject({
      code: 1,
      err: expect.stringContaining('plugins/audit-log is not empty'),
    })
    expect(await generate('plugin', 'audit-log', '--dir', 'plugins/audit-log/package.json')).toMatchObject({
      code: 1,
      err: 'octavo: plugins/audit-log/package.json is no folder; give another one with --dir\n',
    })
  })

  it('refuses other names', async () => {
    expect(await generate('plugin', 'My Plugin')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is like audit-log'),
    })
  })
})
