/** Careless input of a command: empty variables of a script, a .env in another encoding, a configuration of another kind. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { command } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'octavo-careless-')))
})
afterAll(() => rmSync(folder, { recursive: true }))

const page = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages' },
  attributes: { title: { type: 'string' } },
}
beforeEach(() => {
  rmSync(folder, { recursive: true })
  mkdirSync(path.join(folder, 'content/content-types'), { recursive: true })
  writeFileSync(path.join(folder, 'content/content-types/page.json'), JSON.stringify(page))
})

describe('A value that a script left empty is refused before anything is read or written', () => {
  it.each<[string, readonly string[], number?]>([
    ['<file>', ['export', '']],
    ['<file>', ['import', '']],
    ['<source>', ['import', 'strapi', '']],
    ['--key', ['import', 'strapi', 'export.tar.gz', '--key', '']],
    ['--media', ['export', 'x.tar.gz', '--format', 'strapi', '--media=']],
    ['--out', ['openapi', '--out=']],
    ['--out', ['types', '--out', '']],
    ['--import', ['types', '--import', 'forms', '']],
    ['--explain', ['check', '--explain', '']],
    ['--config', ['check', '--config', '']],
    ['--content', ['check', '--content', '']],
    ['--database', ['export', 'x.json', '--database', '']],
    ['--host', ['start', '--host', '']],
    ['--seed', ['start', '--seed', '']],
    ['--action', ['token', 'create', '--name', 'robot', '--action', '']],
    ['<id>', ['token', 'revoke', '']],
    ['<words>', ['permissions', 'grant', 'public', '']],
    ['--json', ['replay', 'urls.txt', '--old', 'http://127.0.0.1:1', '--json', ''], 2],
  ])('%s of octavo %j', async (name, args, code = 1) => {
    expect(await command(folder, args)).toEqual({
      code,
      out: '',
      err: `error: ${name} is empty; a variable of the shell may be without a value\n(see octavo --help)\n`,
    })
    expect(readdirSync(folder)).toEqual(['content'])
  })

  it('but for the value that octavo migrate fill writes', async () => {
    const { err } = await command(folder, [
      'migrate',
      'fill',
      'pages.title',
      '--value',
      '',
      '--content',
      'gone',
    ])
    expect(err).toContain('gone')
  })
})

describe('A NODE_ENV that is almost production', () => {
  const start = (value: string) =>
    command(folder, ['start', '--content', 'content', '--database', 'memory://', '--port', 'none'], {
      NODE_ENV: value,
    })

  it.each(['prod', 'Production', 'production ', 'production\r', 'prodution'])(
    'is refused: a server would start as in development with %j',
    async (value) => {
      expect(await start(value)).toMatchObject({
        code: 1,
        err: `octavo: NODE_ENV is ${JSON.stringify(value)}, with which a server starts as in development; did you mean "production"?\n`,
      })
    },
  )

  it.each(['', 'staging', 'preproduction', 'test'])('is not %j', async (value) => {
    expect((await start(value)).err).toContain('--port is a whole number')
  })
})

describe('.env beside the configuration', () => {
  const check = async (file: string | Buffer): Promise<{ code: number | null; out: string; err: string }> => {
    writeFileSync(path.join(folder, 'octavo.config.mjs'), 'export default { content: process.env.FOLDER }')
    writeFileSync(path.join(folder, '.env'), file)
    return command(folder, ['check'])
  }

  it.each([
    ['with a byte order mark', '\uFEFFFOLDER=content\n'],
    ['with the line ends of Windows and quotes', 'OTHER=1\r\nFOLDER="content"\r\n'],
    ['with both', '\uFEFFFOLDER="content"\r\nOTHER=1\r\n'],
  ])('is read %s', async (_, text) => {
    expect(await check(text)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('no mistakes') })
  })

  it('is refused in another encoding, which would hide its variables', async () => {
    const wide = Buffer.from('\uFEFFFOLDER=content\n', 'utf16le')
    expect(await check(wide)).toEqual({
      code: 1,
      out: '',
      err: `octavo: ${path.join(folder, '.env')} is not in UTF-8; save it in this encoding\n`,
    })
  })

  it('is named where it cannot be read, as the folder that Docker makes for a missing file', async () => {
    mkdirSync(path.join(folder, '.env'))
    writeFileSync(path.join(folder, 'octavo.config.mjs'), 'export default { content: "content" }')
    expect(await command(folder, ['check'])).toEqual({
      code: 1,
      out: '',
      err: `octavo: The variables of ${path.join(folder, '.env')} cannot be read: EISDIR: illegal operation on a directory, read\n`,
    })
  })
})

it.each(['content', 'settings.json', 'settings.yaml'])(
  'A configuration is a module, and not %s',
  async (name) => {
    if (name !== 'content') writeFileSync(path.join(folder, name), '{}')
    expect(await command(folder, ['check', '--config', name])).toEqual({
      code: 1,
      out: '',
      err: `octavo: ${name} is no module: a configuration is a file such as octavo.config.ts, with "export default defineConfig({ ... })"\n`,
    })
  },
)

describe('A configuration that says nothing is not taken for one', () => {
  const content = 'content: "content"'
  it.each([
    [
      'an empty file',
      '',
      'has no "content", which names the folder of the content-types, and no "contentTypes"',
    ],
    [
      'without content-types',
      'export default { strict: true }',
      'has no "content", which names the folder of the content-types, and no "contentTypes"',
    ],
    [
      'a function',
      `export default () => ({ ${content} })`,
      'exports a function; write "export default defineConfig({ ... })"',
    ],
    [
      'a promise',
      `export default Promise.resolve({ ${content} })`,
      'exports a promise; write "export default await ..."',
    ],
    [
      'no default',
      `export const config = { ${content} }`,
      'has no default export with the configuration; write "export default defineConfig({ ... })"',
    ],
    [
      'plugins from a function without a result',
      `export default { ${content}, plugins: (defaults) => { defaults.slice(1) } }`,
      'plugins: the function returned nothing in place of a list of plugins',
    ],
  ])('%s', async (_, text, mistake) => {
    writeFileSync(path.join(folder, 'octavo.config.ts'), text)
    const { code, err } = await command(folder, ['check'])
    expect([code, err]).toEqual([1, expect.stringMatching(/^octavo: [^\n]*\n$/)])
    expect(err).toContain(mistake)
  })
})

describe('A mistake is named with its place', () => {
  it.each(['module', 'commonjs'])('in a module that the configuration imports: %s', async (type) => {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type }))
    writeFileSync(path.join(folder, 'octavo.config.ts'), "import './plugin.ts'\nexport default {}\n")
    writeFileSync(path.join(folder, 'plugin.ts'), 'export const options = {\n  first: 1\n  second: 2\n}\n')
    const { code, err } = await command(folder, ['check'])
    expect([code, err]).toEqual([1, expect.stringContaining(` (${path.join(folder, 'plugin.ts')}:3)\n`)])
  })

  const file = 'content/content-types/page.json'
  it.each<[string, object, readonly string[]]>([
    ['of an empty definition', {}, ['info: must be an object', 'attributes: is missing']],
    ['of one without info', { attributes: {} }, ['info: must be an object']],
    ['of one without attributes', { ...page, attributes: undefined }, ['attributes: is missing']],
    ['of attributes in a list', { ...page, attributes: [] }, ['attributes: must be an object, not a list']],
    ['of options in a text', { ...page, options: 'draft' }, ['options: must be an object, not "draft"']],
  ])('in the content-type that plugins would extend: %s', async (_, definition, places) => {
    writeFileSync(path.join(folder, file), JSON.stringify(definition))
    const { code, err } = await command(folder, ['check', '--content', 'content'])
    const mistakes = err.split('\n').filter((line) => line.startsWith('  '))
    expect([code, mistakes]).toEqual([
      1,
      places.map((place) => expect.stringContaining(`content-types/page.json: ${place}`)),
    ])
  })

  it('in a content-type of a uid that a file has, with the file', async () => {
    writeFileSync(
      path.join(folder, 'octavo.config.mjs'),
      `export default { content: 'content', contentTypes: [${JSON.stringify(page)}] }`,
    )
    const { err } = await command(folder, ['check'])
    expect(err).toContain('page: uid: the uid "api::page.page" is taken by content-types/page.json')
  })

  it('in a definition in code without a name, by its place there: files and plugins have others before it', async () => {
    const nameless = '{ info: {}, attributes: {} }'
    for (const [given, place] of [
      [`[${nameless}]`, 'contentTypes[0]'],
      [`{ article: ${nameless} }`, 'contentTypes.article'],
    ]) {
      writeFileSync(
        path.join(folder, 'octavo.config.mjs'),
        `export default { content: './content', contentTypes: ${given}, components: [{ attributes: {} }] }`,
      )
      const { err } = await command(folder, ['check'])
      expect(err).toContain(`${place}: info.singularName: is missing`)
      expect(err).toContain('components[0]: uid: must look like shared.seo')
    }
  })

  it('in the options of a plugin, which warns of them', async () => {
    const definition = { ...page, pluginOptions: { i18n: { localised: true } } }
    writeFileSync(path.join(folder, file), JSON.stringify(definition))
    const { out } = await command(folder, ['check', '--content', 'content'])
    expect(out).toContain('content-types/page.json: pluginOptions.i18n.localised: there is no such key')
  })

  it.each([
    ['--port', 'PORT=1338', ['--port', '13e9']],
    ['The environment variable PORT', 'PORT=13e9', []],
  ])('in a port: %s', async (place, variables, flags) => {
    writeFileSync(path.join(folder, 'octavo.config.mjs'), 'export default { content: "content" }')
    writeFileSync(path.join(folder, '.env'), variables)
    expect(await command(folder, ['start', '--database', 'memory://', ...flags])).toMatchObject({
      code: 1,
      err: `octavo: ${place} is a whole number from 0 to 65535, not "13e9"\n`,
    })
  })

  it('in the URL of a database, without its password', async () => {
    const url = 'postgres://me:secret#1@127.0.0.1:1/site'
    const place = 'the URL cannot be read: postgres://user:password@host:port/database, in which # '
    for (const args of [
      ['start', '--content', 'content', '--database', url],
      ['import', 'strapi', url],
    ]) {
      const { code, err } = await command(folder, args)
      expect([code, err]).toEqual([1, expect.stringContaining(place)])
      expect(err).not.toContain('secret')
    }
  })
})
