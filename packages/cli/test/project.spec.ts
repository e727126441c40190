import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findingKinds, guideOf } from '../src/project/finding.ts'
import { command, type Launched, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** A project with the form of a public one: extended users, own routes, policies, lifecycles, custom fields, plugins. */
const fixture = fileURLToPath(new URL('fixtures/strapi-project', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-project-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Variables = Readonly<Record<string, string>>

const run = (args: readonly string[], variables: Variables = {}) =>
  command(folder, args, { LOG_LEVEL: 'warn', ...variables })

/** In a process of its own, as it is installed. */
const alone = (args: readonly string[], variables: Variables = {}): Launched =>
  launch(folder, args, { LOG_LEVEL: 'warn', ...variables })

const write = (file: string, content: unknown): void => {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
}

const type = (attributes: object = { title: { type: 'string' } }) => ({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes,
})

/** The findings that the report of a check lists below a section of the guide. */
function linesUnder(out: string, section: string): readonly string[] {
  const [, list = ''] = out.split(`see docs/from-strapi-4.md#${section}\n`)
  return (list.split('\n\n')[0] ?? '').trim().split(/\n\s*/)
}

describe('octavo check on a Strapi 4 project', () => {
  it('warns of attributes of users and files that the plugins have themselves', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write('src/extensions/users-permissions/content-types/user/schema.json', {
      attributes: {
        tokenVersion: { type: 'integer' },
        role: { type: 'string' },
        password: { type: 'password', private: true },
      },
    })
    write('src/extensions/upload/content-types/file/schema.json', {
      attributes: { width: { type: 'string' }, name: { type: 'string', configurable: false } },
    })
    const { out } = await run(['check', '--content', '.'])
    for (const warning of [
      'user/schema.json: attributes.tokenVersion: is not used, because plugin::users-permissions.user has an attribute "tokenVersion" of its own, of the type integer; give yours another name',
      'user/schema.json: attributes.role: is not used, because plugin::users-permissions.user has an attribute "role" of its own, of the type relation',
      'file/schema.json: attributes.width: is not used, because plugin::upload.file has an attribute "width" of its own, of the type integer',
    ])
      expect(out).toContain(warning)
    expect(out).not.toMatch(/attributes\.(password|name)/)
  })

  it('names everything that does not run here, with its file and the section of the guide', async () => {
    const { code, out } = await alone(['check', '--content', fixture]).ended
    expect(code).toBe(0)
    expect(out).not.toContain('no mistakes')
    const [, report = ''] = out.split('Not run or used')
    const sections = report.split(/\n\n {2}see /).slice(1)
    const found = Object.fromEntries(
      sections.map((section) => {
        const [guide = '', ...lines] = section.trim().split('\n')
        return [guide.replace('docs/from-strapi-4.md#', ''), lines.map((line) => line.trim())]
      }),
    )
    expect(found).toEqual({
      administration: ['src/admin/app.js: the administration panel is changed'],
      configuration: [
        'config/env/production/api.js: settings for NODE_ENV=production, with which octavo check reads them',
        'config/middlewares.ts: strapi::security.contentSecurityPolicy is not used',
        'config/plugins.js: users-permissions.config.sessions (line 9: days(3)) is not used',
      ],
      controllers: [
        'src/api/restaurant/controllers/restaurant.js: the actions find (around the default), nearby; it reads entries, calls other servers, reads the query',
      ],
      'cron-tasks': [
        'config/cron-tasks.js: tasks that run by the clock',
        'config/server.js: cron.enabled: scheduled tasks',
      ],
      'custom-fields': [
        'src/api/restaurant/content-types/restaurant/schema.json: the custom field plugin::color-picker.color is treated as string',
        'src/api/restaurant/content-types/restaurant/schema.json: the custom field plugin::multi-select.multi-select is treated as json',
        'src/components/blocks/faq.json: the custom field plugin::ckeditor.CKEditor is treated as richtext',
      ],
      extensions: [
        'src/extensions/users-permissions/strapi-server.js: the plugin users-permissions is changed by strapi-server; it reads entries, looks at the caller',
      ],
      lifecycles: [
        'src/api/article/content-types/article/lifecycles.js: beforeUpdate, afterCreate; it reads entries',
      ],
      middlewares: [
        'config/middlewares.ts: the middleware global::timing runs on every request',
        'src/middlewares/timing.js: the middleware timing',
      ],
      migrations: ['database/migrations/2023.01.01T00.00.00.names.js: a migration of the database'],
      plugins: [
        'config/plugins.js: the plugin strapi-plugin-populate-deep: answers populate=deep; write out what to populate instead, see docs/from-strapi-plugins.md#deep-populate',
        'config/plugins.js: the plugin reports (./src/plugins/reports) does not run here',
        'package.json: the plugin @strapi/plugin-graphql: serves /graphql; @octavo/plugin-graphql serves the same schema, see docs/graphql.md',
        'package.json: the plugin strapi-plugin-populate-deep: answers populate=deep; write out what to populate instead, see docs/from-strapi-plugins.md#deep-populate',
        'package.json: the plugin strapi-plugin-color-picker does not run here',
        "src/plugins/reports: the project's own plugin reports",
      ],
      policies: [
        'src/api/review/policies/is-author.js: the policy is-author; it reads entries, looks at the caller',
      ],
      providers: [
        'package.json: the provider @strapi/provider-upload-aws-s3: the option provider of upload is s3({ bucket, client }), which every store with the interface of S3 has',
      ],
      routes: [
        "src/api/category/routes/category.ts: the options of the router: { only: ['find', 'findOne'], config: { find: { auth: false …",
        'src/api/restaurant/routes/01-nearby.js: GET /restaurants/nearby → restaurant.nearby, auth: false',
        'src/api/review/routes/review.js: DELETE /reviews/:id → review.delete, policies: [is-author]',
      ],
      services: ['src/api/review/services/review.ts: the method tellOwner; it sends emails'],
      'start-and-stop': ['src/index.js: bootstrap; it reads entries, writes entries'],
    })
  })

  it('has a section in the guide for each kind', () => {
    const page = readFileSync(new URL('../../../docs/from-strapi-4.md', import.meta.url), 'utf8')
    const anchors = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    )
    for (const [kind, anchor] of Object.entries(findingKinds)) {
      expect(guideOf(kind as keyof typeof findingKinds)).toBe(`docs/from-strapi-4.md#${anchor}`)
      expect(anchors).toContain(anchor)
    }
  })

  it('takes the folder as an argument, and one folder only', async () => {
    write('old/src/api/article/content-types/article/schema.json', type())
    expect((await run(['check', './old'])).out).toContain('no mistakes')
    const both = await run(['check', './old', '--content', './other'])
    expect([both.code, both.err]).toEqual([
      1,
      expect.stringContaining('check takes one folder, not both ./old'),
    ])
  })

  it('calls a project of Strapi 3 one, also at a start', async () => {
    write('package.json', { dependencies: { strapi: '3.6.8', 'strapi-plugin-users-permissions': '3.6.8' } })
    write('api/article/models/article.settings.json', { kind: 'collectionType', attributes: {} })
    for (const name of ['check', 'start']) {
      const { code, err } = await run([name, '--content', '.'])
      expect([code, err]).toEqual([
        1,
        expect.stringContaining('a project of Strapi 3 (package.json: strapi 3.6.8)'),
      ])
    }
    rmSync(path.join(folder, 'package.json'))
    expect((await run(['check', '.'])).err).toContain('Strapi 3 (api/article/models/article.settings.json)')
  })

  it('says that a project is one of Strapi 5, whose clients read other answers', async () => {
    write('package.json', { dependencies: { '@strapi/strapi': '^5.12.0' } })
    write('src/api/article/content-types/article/schema.json', type())
    const { code, out } = await run(['check', '.'])
    expect([code, out]).toEqual([0, expect.stringContaining('docs/from-strapi-4.md#strapi-5')])
    expect(out).toContain('a project of Strapi 5 (package.json: @strapi/strapi ^5.12.0), whose clients read')
    write('package.json', { dependencies: { '@strapi/strapi': '~4.26.2' } })
    expect((await run(['check', '.'])).out).not.toContain('a project of Strapi')
  })

  it('lists the modules that other files import, providers with their options, and one line for lifecycles that do the same', async () => {
    for (const name of ['article', 'page', 'story']) {
      const uid = { singularName: name, pluralName: `${name}s` }
      write(`src/api/${name}/content-types/${name}/schema.json`, { ...type(), info: uid })
      write(
        `src/api/${name}/content-types/${name}/lifecycles.js`,
        `const { rebuild } = require('../../../../lifecycles/rebuild')\nmodule.exports = { afterUpdate: rebuild }`,
      )
    }
    write('src/lifecycles/rebuild.js', 'exports.rebuild = () => fetch(process.env.SITE)')
    write(
      'src/services/mail/index.ts',
      `export const send = () => strapi.plugin('email').service('email').send({})`,
    )
    write('src/services/unused.ts', 'export const never = 1')
    write('src/utils/text.ts', 'export const trim = (text: string) => text.trim()')
    write(
      'src/index.ts',
      `import { send } from './services/mail'\nimport { trim } from 'src/utils/text'\nexport default { register({ strapi }) { strapi.plugin('graphql').service('extension').use({}); trim('a') }, bootstrap() { send() } }`,
    )
    write(
      'config/plugins.ts',
      `export default { email: { config: { provider: 'nodemailer' } }, transformer: { enabled: true }, upload: { config: { provider: 'cloudinary' } } }`,
    )
    write('package.json', {
      dependencies: {
        '@strapi/strapi': '4.15.5',
        'strapi-provider-email-smtp': '1',
        'strapi-plugin-config-sync': '1',
        'strapi-blurhash': '1',
        'strapi-sdk-js': '2',
      },
    })
    // An installed plugin is one by its manifest, whatever its name is.
    write('node_modules/strapi-blurhash/package.json', {
      strapi: { kind: 'plugin', name: 'strapi-blurhash' },
    })
    write('node_modules/strapi-sdk-js/package.json', { name: 'strapi-sdk-js' })
    const { out } = await run(['check', '.'])
    for (const line of [
      '  3 files: afterUpdate\n    article, page, story',
      'src/lifecycles/rebuild.js: rebuild, imported by src/api/article/content-types/article/lifecycles.js, src/api/page/content-types/page/lifecycles.js and 1 more; it calls other servers',
      'src/services/mail/index.ts: send, imported by src/index.ts; it sends emails',
      'src/utils/text.ts: trim, imported by src/index.ts',
      'src/index.ts: register, bootstrap; it changes the GraphQL schema (docs/graphql.md)',
      'config/plugins.ts: email.config.provider: the option email of usersPermissions',
      'package.json: the provider strapi-provider-email-smtp: the option email of usersPermissions',
      'config/plugins.ts: upload.provider cloudinary: files are stored in public/uploads without the option; the option provider of upload is a StorageProvider of your own',
      'config/plugins.ts: the plugin transformer: flattens every answer, see docs/from-strapi-plugins.md#flat-answers',
      'package.json: the plugin strapi-plugin-config-sync: keeps settings in files, see docs/from-strapi-plugins.md#settings-in-files',
      'package.json: the plugin strapi-blurhash does not run here',
    ])
      expect(out).toContain(line)
    expect(out).not.toMatch(/unused\.ts|strapi-sdk-js/)
  })

  it('says that a start would refuse a short secret, as the start does: with file, variable and the way out', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write(
      'config/plugins.js',
      `module.exports = ({ env }) => ({ 'users-permissions': { config: { jwtSecret: env('JWT_SECRET') } } })`,
    )
    write('.env', 'JWT_SECRET=tooshort')
    const said = /JWT_SECRET in \S*\.env, has 8 characters.*openssl rand/
    expect((await run(['check', '.'])).out).toMatch(said)
    // A new embedded database takes seconds, so only runs on PGlite make one.
    const { url: database, drop } = await createTestDatabase()
    const where = ['--content', '.', '--database', database, '--port', '0']
    const { code, err } = await alone(['start', ...where]).ended
    expect([code, err]).toEqual([1, expect.stringMatching(said)])
    await drop()
  })

  it('does not report generated files', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write(
      'src/api/article/controllers/article.ts',
      `/** article controller */\nimport { factories } from '@strapi/strapi'\n\nexport default factories.createCoreController('api::article.article' as any, () => ({}));`,
    )
    write(
      'src/api/article/services/article.js',
      `'use strict';\nconst { createCoreService } = require('@strapi/strapi').factories;\nmodule.exports = createCoreService('api::article.article');`,
    )
    write(
      'src/api/article/routes/article.js',
      `const { createCoreRouter } = require('@strapi/strapi').factories;\nmodule.exports = createCoreRouter('api::article.article', {});`,
    )
    write('src/index.ts', 'export default { register(/*{ strapi }*/) {}, bootstrap(/*{ strapi }*/) {}, };')
    write('src/admin/app.example.js', 'export default {}')
    write('config/middlewares.js', `module.exports = ['strapi::errors', 'strapi::cors', 'strapi::body']`)
    write('config/admin.js', `module.exports = ({ env }) => ({ auth: { secret: env('ADMIN_JWT_SECRET') } })`)
    write('package.json', {
      dependencies: { '@strapi/strapi': '4.26.2', '@strapi/plugin-i18n': '4.26.2', pg: '8' },
    })
    const { code, out } = await run(['check', '--content', '.'])
    expect([code, out]).toEqual([0, '8 content-types and 0 components, no mistakes\n'])
  })

  it('lists content-types and components in code, which nothing else would name', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write('src/api/author/content-types/author/schema.js', 'module.exports = {}')
    write('src/api/author/content-types/author/lifecycles.js', 'module.exports = {}')
    write('src/components/shared/seo.ts', 'export default {}')
    write('src/components/shared/tools/seo.ts', 'export const tools = {}')
    const { code, out } = await run(['check', '.'])
    expect(code).toBe(0)
    expect(linesUnder(out, 'content-types')).toEqual([
      'src/api/author/content-types/author/schema.js: a content-type in code, which is not run; write it as schema.json',
      'src/components/shared/seo.ts: a component in code, which is not run; write it as seo.json',
    ])
  })

  it('names the file of attributes that the project adds to users and files; a key that nothing reads is a warning there, too', async () => {
    const [user, file] = ['users-permissions/content-types/user', 'upload/content-types/file'].map(
      (folder) => `src/extensions/${folder}/schema.json`,
    )
    write('src/api/article/content-types/article/schema.json', type())
    write(String(user), { attributes: { job: { type: 'string', placeholder: 'Writer' } } })
    write(String(file), { attributes: { rights: { type: 'strng' } } })
    const refused = await run(['check', '.'])
    expect([refused.code, refused.err]).toEqual([
      1,
      `octavo: A mistake in the content-types:\n  ${file}: attributes.rights.type: there is no attribute type "strng"; did you mean "string"?\n`,
    ])
    write(String(file), { attributes: { rights: { type: 'string' } } })
    const warned = await run(['check', '.'])
    expect(warned.code).toBe(0)
    expect(warned.out).toContain(`${user}: attributes.job.placeholder: there is no such key`)
  })

  it('names settings that nothing here reads: own files, those of other environments, of the panel and of the database', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write('.env', 'API_TOKEN_SALT=the-salt-of-the-tokens\nMY_SALT=another-salt-of-tokens')
    write(
      'config/mail.js',
      `module.exports = ({ env }) => ({ from: env('FROM', 'a@example.org'), footer: {} })`,
    )
    write('config/shop.json', { currency: 'EUR' })
    write('config/types.d.ts', 'export {}')
    write('config/logger.js', `module.exports = { level: 'error' }`)
    write('config/env/staging/plugins.js', `module.exports = { upload: { config: { provider: 'aws-s3' } } }`)
    write('config/env/staging/payment.js', 'module.exports = { key: 1 }')
    const admin = (salt: string) =>
      `module.exports = ({ env }) => ({ url: '/dashboard', flags: { nps: true }, transfer: { token: { salt: 'a' } },
        auth: { secret: env('ADMIN_JWT_SECRET'), providers: [{ uid: 'okta' }] }, apiToken: { salt: env('${salt}') } })`
    write('config/admin.js', admin('MY_SALT'))
    write(
      'config/database.js',
      `module.exports = { connection: { client: 'postgres', connection: { schema: 'cms' }, pool: { min: 2 } } }`,
    )
    const { out } = await run(['check', '.'])
    expect(linesUnder(out, 'configuration')).toEqual([
      'config/admin.js: apiToken.salt is not that of the variable API_TOKEN_SALT; with its value there, the API tokens of the project are accepted',
      'config/admin.js: auth.providers is not used',
      'config/database.js: connection.connection.schema = cms: an import from the database needs --schema cms',
      'config/env/staging/payment.js: settings for NODE_ENV=staging, with which octavo check reads them',
      'config/env/staging/plugins.js: settings for NODE_ENV=staging, with which octavo check reads them',
      'config/logger.js: level is not used',
      "config/mail.js: settings of the project's own, from and footer, which code reads by strapi.config.get('mail')",
      "config/shop.json: settings of the project's own, currency, which code reads by strapi.config.get('shop')",
    ])
    write('config/admin.js', admin('API_TOKEN_SALT'))
    const staging = (await run(['check', '.'], { NODE_ENV: 'staging' })).out
    expect(staging).not.toMatch(/apiToken|NODE_ENV/)
    expect(staging).toContain('upload.provider aws-s3')
    expect(staging).toContain("config/env/staging/payment.js: settings of the project's own, key, which code")
  })

  it('lists the start-up code of an API, and modules that are imported, wherever they are', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write('src/api/article/index.js', 'module.exports = { bootstrap() { setInterval(() => {}, 1000) } }')
    write('src/api/author/index.js', 'module.exports = {}')
    write('src/api/article/config/settings.json', {})
    write(
      'src/api/article/controllers/article.js',
      `const { send } = require('../utils/mail')
      const text = require('../../../text')
      const { price } = require('../../../../lib/price')
      const settings = require('../../../../package.json')
      module.exports = { send, text, price }`,
    )
    write('src/api/article/utils/mail.js', 'exports.send = () => fetch("https://mail.example.org")')
    write('src/text.js', 'exports.trim = (text) => text.trim()')
    write('src/unused.js', 'exports.trim = (text) => text.trim()')
    write('lib/price.js', 'exports.price = 12')
    const { out } = await run(['check', '.'])
    expect(linesUnder(out, 'start-and-stop')).toEqual([
      'src/api/article/index.js: bootstrap; it runs by the clock',
    ])
    const from = 'imported by src/api/article/controllers/article.js'
    expect(linesUnder(out, 'services')).toEqual([
      `lib/price.js: price, ${from}`,
      `src/api/article/utils/mail.js: send, ${from}; it calls other servers`,
      `src/text.js: trim, ${from}`,
    ])
  })

  it('names rules of a project for attributes that files have anyway', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    const file = 'src/extensions/upload/content-types/file/schema.json'
    write(file, {
      attributes: {
        alternativeText: { type: 'string', required: true, configurable: false },
        caption: { type: 'string', configurable: false },
        name: { type: 'string', required: true, maxLength: 40 },
        credit: { type: 'string', required: true },
      },
    })
    expect(linesUnder((await run(['check', '.'])).out, 'extensions')).toEqual([
      `${file}: the rules alternativeText.required and name.maxLength do not apply: Octavo has its own for attributes of every file`,
    ])
  })

  it("names patches of packages, files of the project's own that Strapi serves, and the content-types of own plugins", async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write('patches/@strapi+plugin-users-permissions+4.25.1.patch', '--- a')
    write('patches/README.md', 'Patches')
    write('public/robots.txt', '# User-Agent: *\n# Disallow: /\n')
    write('public/legal/terms.pdf', 'x')
    write('public/uploads/a.png', 'x')
    write('src/plugins/shop/server/content-types/order/schema.json', type())
    write('src/plugins/shop/server/content-types/coupon/index.js', 'module.exports = {}')
    const { out } = await run(['check', '.'])
    expect(linesUnder(out, 'extensions')).toEqual([
      'patches/@strapi+plugin-users-permissions+4.25.1.patch: a change of a package, which does not apply here',
    ])
    expect(linesUnder(out, 'middlewares')).toEqual([
      'public/legal: Strapi serves it at /legal, and Octavo does not',
    ])
    expect(linesUnder(out, 'plugins')).toEqual([
      "src/plugins/shop: the project's own plugin shop, with content-types (coupon, order), which only an import brings",
    ])
  })

  it('has the uids of Strapi, which writes the names of folders in kebab-case', async () => {
    const named = (singularName: string, attributes: object) => ({
      ...type(attributes),
      info: { singularName, pluralName: `${singularName}s` },
    })
    const relation = (target: string) => ({ type: 'relation', relation: 'oneToOne', target })
    write(
      'src/api/FAQPage/content-types/FAQPage/schema.json',
      named('faq-page', { item: relation('api::shop-item.shop-item') }),
    )
    write(
      'src/api/shop_item/content-types/shop_item/schema.json',
      named('shop-item', { page: relation('api::faq-page.faq-page'), part: relation('api::part2.part2') }),
    )
    write('src/api/part2/content-types/part2/schema.json', named('part2', { title: { type: 'string' } }))
    const defaults = {
      method: 'GET',
      path: '/shop-items',
      handler: 'shop-item.find',
      config: { policies: [] },
    }
    write(
      'src/api/shop_item/routes/shop_item.js',
      `module.exports = ${JSON.stringify({ routes: [defaults] })}`,
    )
    const { code, out, err } = await run(['check', '.'])
    expect([code, out, err]).toEqual([0, '10 content-types and 0 components, no mistakes\n', ''])
  })

  it('leaves relations to types of plugins out that do not run here, and names them; a configuration with plugins may bring the types', async () => {
    const to = (target: string) => ({ type: 'relation', relation: 'oneToOne', target })
    const audience = to('plugin::navigation.audience')
    const file = 'src/api/article/content-types/article/schema.json'
    const owner = to('plugin::users-permissions.user')
    write(file, type({ title: { type: 'string' }, audience, owner }))
    const user = 'src/extensions/users-permissions/content-types/user/schema.json'
    write(user, { attributes: { folder: to('plugin::upload.folder'), job: { type: 'string' } } })
    write('src/components/shared/seo.json', { attributes: { audience } })
    const { code, out, err } = await run(['check', '.'])
    expect([code, err]).toEqual([0, ''])
    const why =
      'is left out, since it leads to plugin::navigation.audience, of a plugin that does not run here'
    expect(linesUnder(out, 'plugins')).toEqual([
      `${file}: the relation audience ${why}`,
      `src/components/shared/seo.json: the relation audience ${why}`,
      `${user}: the relation folder ${why.replace('navigation.audience', 'upload.folder')}`,
    ])
    write('octavo.config.mjs', `export default { content: '.', plugins: (defaults) => [...defaults] }`)
    expect((await run(['check'])).err).toContain('there is no content-type "plugin::navigation.audience"')
  })

  it('names a file that cannot be parsed', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write('src/api/article/controllers/article.js', 'module.exports = {')
    write('config/api.js', 'module.exports = ((')
    const { out } = await run(['check', '--content', '.'])
    expect(out).toMatch(/controllers\/article\.js: it cannot be parsed/)
    expect(out).toMatch(/config\/api\.js: it cannot be parsed/)
  })
})

describe('the configuration of a Strapi 4 project', () => {
  /** The settings that the report of a check lists as used. */
  const usedBy = (out: string): readonly string[] => {
    const [, list = ''] = /Used from the project:\n(.*?)(?:\n\n|\n?$)/s.exec(out) ?? []
    return list.split('\n').map((line) => line.trim())
  }

  it('`plugins` as a function gets the plugins with the settings and users of the project', async () => {
    cpSync(fixture, path.join(folder, 'project'), { recursive: true })
    write(
      'octavo.config.mjs',
      `export default {
        content: './project',
        plugins: (defaults) => [...defaults, { name: 'mine', setup() {} }],
      }`,
    )
    const { code, out } = await run(['check'], { ENV_PATH: 'project.env' })
    expect(code).toBe(0)
    expect(out).toContain('upload.config.sizeLimit = 52428800')
    expect(out).toContain(
      'attributes added to plugin::users-permissions.user: reviews, articles, picture, job',
    )
  })

  it('may relate entries to administrators, who are no entries here: the relation is left out, and named', async () => {
    const owner = { type: 'relation', relation: 'manyToOne', target: 'admin::user' }
    write('src/api/article/content-types/article/schema.json', type({ title: { type: 'string' }, owner }))
    const { code, out, err } = await run(['check', '--content', '.'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(
      'the relation api::article.article.owner is left out, since it leads to admin::user, and people of the administration are no entries here',
    )
  })

  it('is listed beside mistakes in content-types', async () => {
    write('src/api/article/content-types/article/schema.json', type({ title: { type: 'strin' } }))
    write('config/cron-tasks.js', 'module.exports = { "* * * * *": () => {} }')
    const { code, out, err } = await run(['check', '--content', '.'])
    expect(code).toBe(1)
    expect(out).toContain('config/cron-tasks.js: tasks that run by the clock')
    expect(err).toContain('attributes.title.type')
  })

  it('is read without running it, and the effective settings are listed', async () => {
    const { out } = await run(['check', '--content', fixture], { ENV_PATH: 'project.env' })
    expect(usedBy(out)).toEqual([
      'config/api.js: rest.prefix = "/content"',
      'config/api.js: rest.defaultLimit = 10',
      'config/api.js: rest.maxLimit = 150',
      'config/api.js: rest.withCount = true',
      'config/api.js: responses.privateAttributes = ["stage"]',
      'config/server.js: port = 1337',
      'config/server.js: host = "127.0.0.1"',
      'config/server.js: url = "https://api.example.org/"',
      'config/middlewares.ts: strapi::cors.origin = ["https://www.example.org","https://shop.example.org"]',
      'config/middlewares.ts: strapi::body.jsonLimit = "3mb"',
      'config/middlewares.ts: strapi::body.formLimit = "2mb"',
      'config/middlewares.ts: strapi::body.formidable.maxFileSize = 20971520',
      'config/plugins.js: users-permissions.config.jwtSecret = (hidden)',
      'config/plugins.js: users-permissions.config.jwt.expiresIn = "7d"',
      'config/plugins.js: users-permissions.config.register.allowedFields = ["job"]',
      'config/plugins.js: upload.config.sizeLimit = 52428800',
      'config/plugins.js: upload.config.breakpoints = {"large":900,"small":300}',
      'config/plugins.js: i18n.config.defaultLocale = "fr"',
      'config/plugins.js: i18n.config.locales = ["fr","en"]',
      'src/extensions/upload/content-types/file/schema.json: attributes added to plugin::upload.file: credit',
      'src/extensions/users-permissions/content-types/user/schema.json: attributes added to plugin::users-permissions.user: reviews, articles, picture, job',
    ])
    const production = await run(['check', '--content', fixture], { NODE_ENV: 'production' })
    expect(production.out).toContain('rest.maxLimit = 200')
  })

  it('is read where statements build it, with env of @strapi/utils and exported properties', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write('config/api.js', `exports.rest = { maxLimit: 500 }`)
    write(
      'config/server.ts',
      `import { env } from '@strapi/utils'
      const config: { port: number; url?: string } = { port: env.int('MY_PORT', 1400) }
      if (process.env.NODE_ENV === 'production') config.url = 'https://api.example.org'
      let host = '127.0.0.1'
      if (env.bool('OPEN', false)) host = '0.0.0.0'
      console.log('read')
      export default { ...config, host }`,
    )
    write(
      'config/plugins.js',
      `const utils = require('@strapi/utils')
      module.exports = ({ env }) => {
        if (env('NODE_ENV') === 'production') {
          const sizeLimit = 5 * 1024
          return { upload: { config: { sizeLimit } } }
        }
        const plugins = {}
        plugins['users-permissions'] = { config: { jwt: {} } }
        plugins['users-permissions'].config.jwt.expiresIn = utils.env('LIFE', '7d')
        return plugins
      }`,
    )
    const development = await run(['check', '.'], { OPEN: 'true' })
    expect(development.out).not.toContain('Not run or used')
    expect(usedBy(development.out)).toEqual([
      'config/api.js: rest.maxLimit = 500',
      'config/server.ts: port = 1400',
      'config/server.ts: host = "0.0.0.0"',
      'config/plugins.js: users-permissions.config.jwt.expiresIn = "7d"',
    ])
    const production = await run(['check', '.'], { NODE_ENV: 'production', MY_PORT: '80' })
    expect(usedBy(production.out)).toEqual([
      'config/api.js: rest.maxLimit = 500',
      'config/server.ts: port = 80',
      'config/server.ts: host = "127.0.0.1"',
      'config/server.ts: url = "https://api.example.org"',
      'config/plugins.js: upload.config.sizeLimit = 5120',
    ])
  })

  it('names the lines whose effect on it only running them would show', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    write(
      'config/server.js',
      `const config = { port: 1400 }
if (require('os').hostname() === 'a') config.port = 80
for (const name of ['url']) config[name] = 'https://api.example.org'
Object.assign(config, { host: '127.0.0.1' })
require('dotenv').config()
module.exports = config`,
    )
    write('config/api.js', `module.exports = class {}`)
    const { out } = await run(['check', '.'])
    for (const line of [
      `config/server.js: code that changes the settings is not run (line 2: if (require('os').hostname() === 'a') config.port = 80)`,
      `config/server.js: code that changes the settings is not run (line 3: for (const name of ['url']) config[name] =`,
      `config/server.js: code that changes the settings is not run (line 4: Object.assign(config,`,
      'config/api.js: (line 1: class {}) is not used',
    ])
      expect(out).toContain(line)
    expect(out).not.toContain('dotenv')
  })

  it('has expressions in the texts of JSON, as Strapi runs them', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    const port = ['$', '{process.env.MY_PORT || 1400}'].join('')
    const url = ['https://$', '{process.env.DOMAIN}/'].join('')
    write('config/server.json', { port, host: '127.0.0.1', url })
    const { out } = await run(['check', '.'], { DOMAIN: 'api.example.org' })
    expect(usedBy(out)).toEqual([
      'config/server.json: port = "1400"',
      'config/server.json: host = "127.0.0.1"',
      'config/server.json: url = "https://api.example.org/"',
    ])
  })

  it('has the lists of an environment over those of all, item by item, as Strapi merges them', async () => {
    write('src/api/article/content-types/article/schema.json', type())
    const body = { name: 'strapi::body', config: { jsonLimit: '3mb' } }
    write('config/middlewares.json', ['strapi::errors', body])
    write('config/env/production/middlewares.json', [{ name: 'global::timing' }])
    const { out } = await run(['check', '.'], { NODE_ENV: 'production' })
    expect(usedBy(out)).toEqual(['config/middlewares.json: strapi::body.jsonLimit = "3mb"'])
    expect(out).toContain('the middleware global::timing runs on every request')
  })

  it('is overridden by the configuration of Octavo, whose plugins ignore its options', async () => {
    cpSync(fixture, path.join(folder, 'project'), { recursive: true })
    write('octavo.config.mjs', `export default { content: './project', plugins: [] }`)
    const { out, err } = await run(['check'])
    expect(err + out).toContain('there is no content-type "plugin::users-permissions.user"')
    rmSync(path.join(folder, 'project/src/api/review'), { recursive: true })
    writeFileSync(
      path.join(folder, 'project/src/api/restaurant/content-types/restaurant/schema.json'),
      JSON.stringify(type({ category: { type: 'string' } })).replaceAll('article', 'restaurant'),
    )
    rmSync(path.join(folder, 'project/src/api/category'), { recursive: true })
    const second = await run(['check'])
    expect(second.out).toContain(
      'config/plugins.js: users-permissions.config.jwt.expiresIn = "7d" is not used: octavo.config names its own plugins',
    )
    expect(second.out).toContain('rest.maxLimit = 150')
  })
})

describe('an unchanged Strapi 4 project starts', () => {
  let url: string
  let server: Launched
  let place: string
  let drop: () => Promise<void>

  beforeAll(async () => {
    place = mkdtempSync(path.join(tmpdir(), 'octavo-migrant-'))
    const made = await createTestDatabase()
    drop = made.drop
    const database = testEngine() === 'pglite' ? `file:${path.join(place, 'database')}` : made.url
    const own = folder
    folder = place
    const flags = ['--content', fixture, '--database', database]
    const token = await run(['token', 'create', '--name', 'walk', '--full', ...flags], env)
    expect(token.err + token.out).toMatch(/^[\w.~-]+\s*$/m)
    key = token.out.trim()
    server = alone(['start', '--port', '0', '--no-rate-limit', ...flags], { ...env, LOG_LEVEL: 'info' })
    folder = own
    url = await server.url()
  })
  afterAll(async () => {
    await server?.stop()
    await drop()
    rmSync(place, { recursive: true, force: true })
  })

  const env = { ENV_PATH: 'project.env' }
  let key: string
  const call = async (at: string, init: RequestInit & { readonly json?: unknown } = {}) => {
    const { json, headers, ...rest } = init
    const answer = await fetch(`${url}${at}`, {
      ...rest,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { method: init.method ?? 'POST', body: JSON.stringify(json) }),
    })
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as never as Record<string, never>,
    }
  }

  it('counts the settings that it uses and the code that it does not run, in a line each, and names the command that lists them', () => {
    const { err } = server.output
    expect(err.match(/\d+ settings of the project are used; octavo check lists them/g)).toHaveLength(1)
    expect(
      err.match(
        /\d+ items of the project are not run or used, .*\b1 policy\b.*; octavo check lists them, with the section of docs\/from-strapi-4\.md about each/g,
      ),
    ).toHaveLength(1)
    expect(err).not.toContain('is-author')
    expect(err.match(/plugin::users-permissions\.user\.articles is left out/g)).toHaveLength(1)
  })

  it('answers under the prefix, with the page sizes and the origins of the project', async () => {
    const { status, headers, body } = await call('/content/restaurants', {
      headers: { origin: 'https://shop.example.org' },
    })
    expect([status, body.meta]).toEqual([
      200,
      { pagination: { page: 1, pageSize: 10, pageCount: 0, total: 0 } },
    ])
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example.org')
    expect(headers.get('access-control-allow-credentials')).toBe('true')
    expect((await call('/content/restaurants?pagination[pageSize]=1000')).body.meta).toMatchObject({
      pagination: { pageSize: 150 },
    })
    expect((await call('/api/restaurants')).status).toBe(404)
  })

  it('answers without the attributes that the project lists as private', async () => {
    const { status, body } = await call('/content/articles', {
      json: { data: { title: 'Kept', stage: 'draft' } },
    })
    expect([status, body]).toMatchObject([200, { data: { attributes: { title: 'Kept' } } }])
    expect(JSON.stringify(body)).not.toContain('stage')
    expect((await call('/content/articles?filters[stage]=draft')).status).toBe(400)
  })

  it('writes custom fields as their base types, in the default locale of the project', async () => {
    const { status, body } = await call('/content/restaurants', {
      json: {
        data: {
          name: 'Chez Nous',
          colour: '#aa0000',
          features: ['wifi'],
          blocks: [{ __component: 'blocks.faq', answer: '<p>Oui</p>' }],
        },
      },
    })
    expect([status, body]).toMatchObject([
      200,
      {
        data: {
          attributes: {
            name: 'Chez Nous',
            colour: '#aa0000',
            features: ['wifi'],
            locale: 'fr',
          },
        },
      },
    ])
  })

  it('takes bodies up to the size of the project', async () => {
    const json = (size: number) => ({ json: { data: { title: 'Long', body: 'x'.repeat(size) } } })
    expect((await call('/content/articles', json(2_500_000))).status).toBe(200)
    expect((await call('/content/articles', json(3_500_000))).status).toBe(413)
  })

  it('registers users with the attributes and the token expiry of the project', async () => {
    const { status, body } = await call('/content/auth/local/register', {
      headers: { authorization: '' },
      json: { username: 'ada', email: 'ada@example.org', password: 'a long password', job: 'cook' },
    })
    expect([status, body]).toMatchObject([200, { user: { username: 'ada', job: 'cook' } }])
    const [, payload = ''] = String(body.jwt).split('.')
    const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      iat: number
      exp: number
    }
    expect(exp - iat).toBe(7 * 86_400)
  })
})
