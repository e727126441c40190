/** The file of `octavo types` compiles, and types programs and the client. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ContentTypeDefinition, computed, silentLogger } from '@octavo/core'
import { checkDefinitions } from '@octavo/core/internal'
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { printTypes, withAdded } from '../src/types/print-types.ts'
import { command, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const from = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-types-'))
  cpSync(from('./fixtures/types'), folder, { recursive: true })
  cpSync(from('../../../conformance/schemas'), path.join(folder, 'content'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(from('../node_modules'), path.join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const types = (...args: readonly string[]) => command(folder, ['types', ...args])
const compile = (...args: readonly string[]) =>
  spawnSync(process.execPath, [from('../../../node_modules/typescript/bin/tsc'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).stdout

const strict = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--types',
  '',
]

describe('octavo types', () => {
  it('has the computed attributes of definitions and of plugins, which are not in inputs', () => {
    const from = { title: 'string' } as const
    const definition: ContentTypeDefinition = {
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes' },
      attributes: {
        title: { type: 'string' },
        length: { type: 'integer', computed: computed({ from, value: () => 1 }) },
      },
    }
    const plugin = definePlugin({
      name: 'words',
      setup: (host) =>
        host.hook('attribute:computed', () => ({
          words: { type: 'integer', computed: computed({ from, value: () => 1 }) },
        })),
    })
    const registry = checkDefinitions({ contentTypes: [definition], plugins: [plugin], logger: silentLogger })
    const text = printTypes({
      contentTypes: [withAdded(definition, 'api::note.note', registry)],
      components: [],
      imports: [],
    })
    expect(text).toContain("title: { type: 'string' }")
    expect(text).toContain("length: { type: 'integer'; computed: true }")
    expect(text).toContain("words: { type: 'integer'; computed: true }")
  })

  it('writes types for programs and the client, which TypeScript accepts', async () => {
    expect(await launch(folder, ['types', '--content', './content']).ended).toMatchObject({
      code: 0,
      out: 'octavo-types.d.ts: 8 content-types\n',
    })
    expect(compile('-p', '.')).toBe('')
  })

  it('writes types for a front end, which has no types of Node.js and checks all declarations', async () => {
    await types('--content', './content')
    const frontend = path.join(folder, 'frontend')
    mkdirSync(frontend)
    cpSync(path.join(folder, 'octavo-types.d.ts'), path.join(frontend, 'octavo-types.d.ts'))
    writeFileSync(
      path.join(frontend, 'main.ts'),
      `import { createClient } from '@octavo/client'
const api = createClient({ url: 'http://localhost:1337' })
const { data } = await api.articles.find()
document.title = String(data[0]?.attributes.title)
`,
    )
    // The options of docs/start.md, "From a web page". A folder with declarations would be `types` otherwise.
    const { compilerOptions } = JSON.parse(
      /<!-- snippet: file tsconfig.json -->\n```json\n(.*?)```/s.exec(
        readFileSync(from('../../../docs/start.md'), 'utf8'),
      )?.[1] ?? '',
    )
    writeFileSync(
      path.join(frontend, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] } }),
    )
    expect(readFileSync(path.join(frontend, 'octavo-types.d.ts'), 'utf8')).toContain('@octavo/plugin-upload')
    expect(compile('-p', 'frontend')).toBe('')
  })

  it('fails with --check when the file is missing or out of date', async () => {
    const out = path.join(folder, 'checked.d.ts')
    const check = () => types('--content', './content', '--out', out, '--check')
    expect(await check()).toMatchObject({ code: 1, err: expect.stringContaining('does not exist') })
    await types('--content', './content', '--out', out)
    expect(await check()).toMatchObject({ code: 0, out: `${out} is up to date\n` })
    writeFileSync(out, readFileSync(out, 'utf8').replace("'opinion'", "'view'"))
    expect(await check()).toMatchObject({ code: 1, err: expect.stringContaining('out of date') })
    rmSync(out)
    // The types that are printed are compared with nothing.
    expect(await types('--content', './content', '--out', '-', '--check')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('--check compares a file'),
    })
  })

  it('reads a Strapi 4 project, with its additional attributes of users', async () => {
    const { code, out } = await types('--content', from('./fixtures/strapi-project'), '--out', '-')
    expect(code).toBe(0)
    for (const text of ["'api::restaurant.restaurant': {", "'plugin::users-permissions.user': {"])
      expect(out).toContain(text)
    // As a module, since declaration files are not checked.
    writeFileSync(path.join(folder, 'project.ts'), out)
    expect(compile(...strict, 'project.ts')).toBe('')
    rmSync(path.join(folder, 'project.ts'))
  })

  it('leaves out accounts and roles of editors, which have no endpoints', async () => {
    writeFileSync(
      path.join(folder, 'editors.config.ts'),
      `import { editors } from '@octavo/plugin-editors'
import { upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
export default { contentTypes: [], plugins: [usersPermissions(), upload(), editors()] }
`,
    )
    const { code, out } = await types('--config', './editors.config.ts', '--out', '-')
    expect(code).toBe(0)
    for (const uid of ['plugin::upload.file', 'plugin::users-permissions.user'])
      expect(out).toContain(`'${uid}': {`)
    expect(out).not.toContain(`'plugin::editors.editor': {`)
    expect(out).not.toContain(`'plugin::editors.role': {`)
    // The creator of a file is a relation to an account. As a module, since declaration files are not checked.
    expect(out).toContain("target: 'plugin::editors.editor'")
    writeFileSync(path.join(folder, 'editors.ts'), out)
    expect(compile(...strict, 'editors.ts')).toBe('')
    rmSync(path.join(folder, 'editors.ts'))
  })

  it('has what plugins add: attributes, content-types and components, except private attributes', async () => {
    writeFileSync(
      path.join(folder, 'added.config.ts'),
      `import { definePlugin } from '@octavo/core/plugin'
const note = { kind: 'collectionType', info: { singularName: 'note', pluralName: 'notes' }, options: { privateAttributes: ['code'] }, attributes: { text: { type: 'text' }, code: { type: 'string' } } }
const added = { source: { type: 'string' }, mark: { type: 'string', private: true } }
const plugin = definePlugin({
  name: 'sources',
  setup(host) {
    host.component({ uid: 'sources.page', attributes: { number: { type: 'integer' } } })
    host.hook('definitions:extend', ({ contentTypes, components }) => ({
      components: [...components, { uid: 'sources.part', attributes: { title: { type: 'string' } } }],
      contentTypes: [
        ...contentTypes.map((type) => ({ ...type, attributes: { ...type.attributes, ...added } })),
        { kind: 'collectionType', info: { singularName: 'source', pluralName: 'sources' }, attributes: {} },
      ],
    }))
  },
})
export default { contentTypes: [note], plugins: [plugin] }
`,
    )
    const { code, out } = await types('--config', './added.config.ts', '--out', '-')
    expect(code).toBe(0)
    expect(out).toContain(
      "text: { type: 'text' }\n      code: { type: 'string'; private: true }\n      source: { type: 'string' }\n    }",
    )
    for (const uid of ['api::source.source', 'sources.page', 'sources.part'])
      expect(out).toContain(`'${uid}': {`)
    writeFileSync(path.join(folder, 'added.ts'), out)
    expect(compile(...strict, 'added.ts')).toBe('')
    rmSync(path.join(folder, 'added.ts'))
  })

  it('overwrites no file but its own, and that only where it changes', async () => {
    const out = path.join(folder, 'own.d.ts')
    writeFileSync(out, 'export interface Mine {}\n')
    const write = () => types('--content', './content', '--out', out)
    expect(await write()).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a file of octavo types and stays as it is'),
    })
    expect(readFileSync(out, 'utf8')).toBe('export interface Mine {}\n')
    rmSync(out)
    await write()
    // A checkout on Windows has other ends of lines.
    const text = readFileSync(out, 'utf8').replaceAll('\n', '\r\n')
    writeFileSync(out, text)
    expect(await write()).toMatchObject({ code: 0 })
    expect(readFileSync(out, 'utf8')).toBe(text)
    rmSync(out)
  })

  it('prints every mistake of the definitions', async () => {
    const { code, err } = await types('--content', './nowhere')
    expect([code, err]).toEqual([1, expect.stringContaining('nowhere')])
  })
})

describe('printTypes', () => {
  it('writes any names and values as valid TypeScript', () => {
    const text = printTypes({
      contentTypes: [],
      components: [
        {
          uid: 'a.b',
          attributes: {
            'a-b': { type: 'enumeration', enum: ["it's", '"q"', 'a\\b', '\u2028'] },
            ok: { type: 'string', default: null, required: false },
          },
        },
      ],
      imports: ['@octavo/plugin-i18n', "./it's.ts"],
    })
    expect(text).toContain(`import type {} from '@octavo/plugin-i18n'\n`)
    writeFileSync(path.join(folder, "it's.ts"), 'export {}')
    writeFileSync(path.join(folder, 'printed-types.ts'), text.replace("it\\'s.ts", "it\\'s.js"))
    writeFileSync(
      path.join(folder, 'printed.ts'),
      `import type { ContentTypes } from './printed-types.js'
import { same } from './same.js'
type Attributes = ContentTypes['a.b']['attributes']
same<Attributes['a-b']['enum'], ["it's", '"q"', 'a\\\\b', '\\u2028']>('same')
same<Attributes['ok'], { type: 'string'; default: unknown }>('same')
`,
    )
    expect(compile(...strict, 'printed.ts')).toBe('')
  })
})
