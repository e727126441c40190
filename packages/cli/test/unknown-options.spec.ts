import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkDefinitions } from '@octavo/core/internal'
import type { Plugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, s3, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, octavoOptions } from '@octavo/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../src/config.ts'
import { command } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-options-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** As a program without types writes them. */
const untyped = (options: object): never => options as never

const start = (plugin: Plugin) => checkDefinitions(octavoOptions({ plugins: [plugin] }))

describe('an option that does not exist is an error', () => {
  it.each<[object, string]>([
    [{ contentType: [] }, 'there is no option "contentType"; did you mean "contentTypes"?'],
    [{ api: { rest: { maxLimt: 5 } } }, 'there is no option "api.rest.maxLimt"; did you mean "maxLimit"?'],
    [
      { api: { rest: { bulk: { item: 5 } } } },
      'there is no option "api.rest.bulk.item"; did you mean "items"?',
    ],
    [{ log: { fromat: 'json' } }, 'there is no option "log.fromat"; did you mean "format"?'],
    [{ response: { idel: 5 } }, 'there is no option "response.idel"; did you mean "idle"?'],
    [{ limits: { dept: 3 } }, 'there is no option "limits.dept"; did you mean "depth"?'],
    [{ cors: { orgins: '*' } }, 'there is no option "cors.orgins"; did you mean "origins"?'],
  ])('in createServer: %j', async (options, message) => {
    await expect(createServer(untyped(options))).rejects.toThrow(`createServer: ${message}`)
  })

  it.each<[string, () => Plugin, string]>([
    [
      'i18n',
      () => i18n(untyped({ defaultLocal: 'en' })),
      'there is no option "defaultLocal"; did you mean "defaultLocale"?',
    ],
    [
      'draftPublish',
      () => draftPublish(untyped({ draftById: 'show' })),
      'there is no option "draftById"; did you mean "draftsById"?',
    ],
    [
      'upload',
      () => upload(untyped({ limits: { filesize: 1 } })),
      'there is no option "limits.filesize"; did you mean "fileSize"?',
    ],
    [
      'upload',
      () => upload(untyped({ variants: { sizes: [{ width: 1 }, { widht: 1 }] } })),
      'there is no option "variants.sizes.1.widht"; did you mean "width"?',
    ],
    [
      'usersPermissions',
      () => usersPermissions(untyped({ jwt: { expires: 1 }, registr: {} })),
      'there is no option "jwt.expires"; did you mean "expiresIn"?; there is no option "registr"; did you mean "register"?',
    ],
    [
      'usersPermissions',
      () => usersPermissions(untyped({ permissions: { editor: ['a', { action: 'b', feilds: [] }] } })),
      'there is no option "permissions.editor.1.feilds"; did you mean "fields"?',
    ],
    [
      'usersPermissions',
      () => usersPermissions(untyped({ providers: { google: { preset: 'google', clientID: 'x' } } })),
      'there is no option "providers.google.clientID"; did you mean "clientId"?',
    ],
  ])('in the plugin %s', (name, make, message) => {
    expect(() => start(make())).toThrow(`${name}: ${message}`)
  })

  it('in a storage provider', () => {
    expect(() => localDisk(untyped({ foldr: 'x' }))).toThrow(
      'localDisk: there is no option "foldr"; did you mean "folder"?',
    )
    expect(() => s3(untyped({ bucket: 'x', publicURL: 'x' }))).toThrow(
      's3: there is no option "publicURL"; did you mean "publicUrl"?',
    )
  })

  it('in octavo.config, whose server and content options are checked as well', async () => {
    const file = path.join(folder, 'octavo.config.mjs')
    await writeFile(
      file,
      `export default { workrs: 2, server: { prot: 1 }, cors: { credential: true }, urls: [] }`,
    )
    await expect(loadConfig(file)).rejects.toThrow(
      `${file}: there is no option "workrs"; did you mean "workers"?; there is no option "server.prot"; did you mean "port"?; there is no option "cors.credential"; did you mean "credentials"?`,
    )
  })
})

describe('a value that an option does not take is an error', () => {
  it.each<[object, string]>([
    [{ access: 'opn' }, 'access must be "read" or "open", not "opn"'],
    [{ access: true }, 'access must be "read" or "open", not true'],
    [{ strict: 'no' }, 'strict must be true or false, not "no"'],
    [{ proxies: '1' }, 'proxies must be a whole number from 0, not "1"'],
    [{ connections: 0 }, 'connections must be a whole number from 1, not 0'],
    [{ api: { rest: { maxLimit: '100' } } }, 'api.rest.maxLimit must be a whole number from 1, not "100"'],
    [{ limits: { depth: '4' } }, 'limits.depth must be a whole number from 0, or Infinity, not "4"'],
    [
      { cors: { origins: 'https://a.example' } },
      'cors.origins must be "*", or a list of texts, such as ["https://www.example.org"], not "https://a.example"',
    ],
    [{ body: { bodySize: '1mb' } }, 'body.bodySize must be a number above 0, not "1mb"'],
    [{ grace: '10s', drain: -5 }, 'grace must be a whole number from 0, not "10s"; drain must be'],
    [{ middleware: () => {} }, 'middleware must be a list of functions, not a function'],
    [{ cors: 'x' }, 'cors must be an object with origins, credentials, not a string'],
    [
      { logger: { debug() {}, info() {}, warn() {}, error() {} } },
      'logger must be an object with the methods debug, info, warn, error, child (there is no child), not {}',
    ],
    [
      { logger: new Map() },
      'logger must be an object with the methods debug, info, warn, error, child, not a Map',
    ],
    [{ log: true }, 'log must be an object with queries, format, not a boolean'],
    [
      { contentTypes: { kind: 'collectionType', attributes: {} } },
      'contentTypes must be a list of definitions, or an object such as { article, author }, not {"kind":"collectionType","attributes":{}}',
    ],
  ])('in createServer: %j', async (options, message) => {
    await expect(createServer(untyped(options))).rejects.toThrow(`createServer: ${message}`)
  })

  it('in createServer, when JSON has no such value', async () => {
    await expect(createServer(untyped({ strict: 1n }))).rejects.toThrow(
      'createServer: strict must be true or false, not 1',
    )
  })

  it.each<[string, () => Plugin, string]>([
    ['i18n', () => i18n(untyped({ acceptLanguage: 'no' })), 'acceptLanguage must be true or false, not "no"'],
    [
      'draftPublish',
      () => draftPublish(untyped({ draftsById: 'shw' })),
      'draftsById must be "hide" or "show", not "shw"',
    ],
    [
      'upload',
      () => upload(untyped({ limits: { fileSize: '5mb' } })),
      'limits.fileSize must be a number above 0, not "5mb"',
    ],
    [
      'usersPermissions',
      () => usersPermissions(untyped({ publicRead: 'false', register: { enabled: 'false' } })),
      'publicRead must be true or false, not "false"; register.enabled must be true or false, not "false"',
    ],
    [
      'usersPermissions',
      () => usersPermissions(untyped({ jwt: { expiresIn: '30d' } })),
      'jwt.expiresIn must be a whole number from 1, not "30d"',
    ],
    [
      'usersPermissions',
      () => usersPermissions(untyped({ publicUrl: 'example.org', rateLimit: { store: 'redis' } })),
      'publicUrl must be a URL, such as "https://api.example.org", not "example.org"; rateLimit.store must be "memory" or "database", or a function, not "redis"',
    ],
    [
      'usersPermissions',
      () => usersPermissions(untyped({ permissions: { public: 'api::article.article.find' } })),
      'permissions.public must be a list, not a string',
    ],
    [
      'editors',
      () => editors(untyped({ sessions: { idle: '1h' }, passwords: 'no' })),
      'sessions.idle must be a number above 0, not "1h"; passwords must be true or false, not "no"',
    ],
  ])('in the plugin %s', (name, make, message) => {
    expect(() => start(make())).toThrow(`${name}: ${message}`)
  })

  it('in a configuration', async () => {
    const file = path.join(await mkdtemp(path.join(folder, 'values-')), 'octavo.config.mjs')
    await writeFile(file, `export default { workers: '4', access: 'opn', server: { port: '80' } }`)
    await expect(loadConfig(file)).rejects.toThrow(
      `${file}: workers must be "auto", or a whole number from 1, not "4"; access must be "read" or "open", not "opn"; server.port must be a whole number from 0, not "80"`,
    )
  })
})

it.each([
  ['content: 5', 'content must be text, such as "./content", not 5'],
  ['content: ["a"]', 'content must be text, such as "./content", not ["a"]'],
  ['database: { host: "a" }', 'database must be text, such as "postgres://localhost/site", not {"host":"a"}'],
  ['database: () => "a"', 'database must be text, such as "postgres://localhost/site", not a function'],
  ['seedWhenEmpty: null', 'seedWhenEmpty must be text, such as "./seed.json", not null'],
])('A configuration with %s is an error that says what would be right', async (option, message) => {
  const file = path.join(await mkdtemp(path.join(folder, 'texts-')), 'octavo.config.mjs')
  await writeFile(file, `export default { ${option} }`)
  await expect(loadConfig(file)).rejects.toThrow(`${file}: ${message}`)
})

describe('a command that does not exist', () => {
  it('is named, without any content too', async () => {
    const place = await mkdtemp(path.join(folder, 'empty-'))
    const run = async (...words: string[]) => {
      const { code, err } = await command(place, words)
      return [code, err]
    }
    // Before a configuration is read, and so before anything starts.
    expect(await run('strat', '--config', 'not-there.ts')).toEqual([
      1,
      'octavo: There is no command "strat"; did you mean "start"? See octavo --help.\n',
    ])
    expect(await run('gibberish')).toEqual([
      1,
      'octavo: There is no command "gibberish" (see octavo --help). A command of a plugin needs the content. There are no content-types: give a folder with --content, or a configuration with --config\n',
    ])
  })
})

describe('options that exist', () => {
  it.each<[string, () => Plugin]>([
    ['i18n', () => i18n({ locales: ['en'], acceptLanguage: true })],
    ['draftPublish', () => draftPublish({ actions: true })],
    ['upload', () => upload({ provider: localDisk({ folder }), limits: { pixelsByType: { 'image/x': 1 } } })],
    [
      'usersPermissions',
      () =>
        usersPermissions({
          permissions: { editor: ['a', { action: 'b', where: { any: { name: 1 } } }] },
          user: { attributes: { age: { type: 'integer' } } },
          email: { transport: { host: 'x', anything: 1 } },
          refreshTokens: true,
        }),
    ],
  ])('are taken by %s', (_name, make) => {
    expect(() => start(make())).not.toThrow()
  })
})
