import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { ContentTypeDefinition } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { chromiumOptions, chromiumPath } from '@octavo/testing'
import { violationsOf } from '@octavo/testing/violations'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../src/index.ts'
import { hold, pass, signIn } from './entry/visit.ts'
import { openSite, type Site } from './site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** The colour field of the guide. */
const guide = readFileSync(new URL('../../../docs/desk-extensions.md', import.meta.url), 'utf8')
const colour = /```js\n(.*?)```/s.exec(guide)?.[1] ?? ''

/** A panel, a page, an action, and fields that fail in each way in which one can. */
const others = `export default {
  contract: 1,
  setup(desk) {
    const failing = (name, mount) => desk.defineField({ name, for: 'plugin::failing.' + name, mount })
    failing('mount', () => { throw new Error('mount has failed') })
    failing('empty', () => undefined)
    failing('update', () => ({ update() { throw new Error('update has failed') } }))
    desk.definePanel({
      name: 'length',
      title: { en: 'Length', de: 'Länge' },
      types: ['api::mood.mood'],
      mount(element, panel) {
        let state = panel
        const button = document.createElement('button')
        button.textContent = 'Shorten'
        button.className = 'button small'
        button.onclick = () => element.dataset.wrote = String(state.write('name', state.read('name').slice(0, 3)))
        const words = document.createElement('p')
        element.append(words, button)
        const update = (next) => { state = next; words.textContent = (next.read('name') ?? '').length + ' letters' }
        update(panel)
        return { update }
      },
    })
    desk.definePage({
      name: 'all-moods',
      title: 'All moods',
      mount(element) {
        desk.request('GET', 'content/moods?fields[0]=name&sort=id').then(
          ({ data }) => { element.textContent = data.map(({ attributes }) => attributes.name).join(', ') },
          (error) => { element.textContent = 'refused: ' + error.status },
        )
      },
    })
    desk.definePage({ name: 'broken', title: 'Broken', mount() { throw new Error('the page has failed') } })
    desk.defineAction({
      name: 'greet',
      label: 'Greet',
      types: ['api::mood.mood'],
      run: ({ entry }) => 'Hello, ' + entry.attributes.name,
    })
    desk.defineAction({
      name: 'rename',
      label: 'Rename',
      run: ({ entry }) => desk.request('PUT', 'content/moods/' + entry.id, { data: { name: 'Renamed' } }),
    })
    desk.defineAction({ name: 'nothing', label: 'Do nothing', run: async () => null })
    desk.definePanel({ name: 'language', title: 'Language', mount(element) {
      const update = () => (element.textContent = 'in ' + desk.language + ' ' + desk.direction)
      return { update: update() && update }
    } })
    desk.definePanel({ name: 'later', title: 'Later', async mount() { throw new Error('mount has failed later') } })
    desk.definePanel({ name: 'later', title: 'Later update', mount: () => ({ async update() { throw new Error('update has failed later') } }) })
    desk.defineAction({ name: 'fail', label: 'Fail', run: () => Promise.reject(new Error('the action has failed')) })
  },
}
`

const field = (name: string) => ({ type: 'customField', customField: `plugin::failing.${name}` }) as const

const mood: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'mood', pluralName: 'moods' },
  attributes: {
    name: { type: 'string', required: true },
    colour: { type: 'string', customField: 'plugin::color-picker.color' },
    onMount: field('mount'),
    onEmpty: field('empty'),
    onUpdate: field('update'),
  },
}

describe('Extension modules', () => {
  // Outside of the repository.
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-extensions-'))
  const own = path.join(folder, 'own')
  const brought = path.join(folder, 'brought')
  let site: Site

  beforeAll(async () => {
    for (const one of [own, path.join(brought, 'lib')]) mkdirSync(one, { recursive: true })
    writeFileSync(path.join(own, 'colour.js'), colour)
    writeFileSync(path.join(own, '.hidden.js'), '')
    writeFileSync(path.join(own, 'notes.txt'), '')
    writeFileSync(path.join(folder, 'secret.js'), '')
    symlinkSync(path.join(folder, 'secret.js'), path.join(own, 'linked.js'))
    writeFileSync(path.join(brought, 'broken.js'), 'export default {')
    writeFileSync(path.join(brought, 'endless.js'), 'await new Promise(() => {})\nexport default {}')
    writeFileSync(path.join(brought, 'later.js'), 'export default { contract: 2, setup() {} }')
    writeFileSync(
      path.join(brought, 'untitled.js'),
      `export default { contract: 1, setup: (desk) => desk.definePage({ name: 'untitled', title: { en: {} }, mount() {} }) }`,
    )
    writeFileSync(
      path.join(brought, 'waiting.js'),
      `export default { contract: 1, async setup(desk) {
        desk.definePage({ name: 'all-moods', title: 'Other moods', mount() {} })
        await null
        desk.definePage({ name: 'never', title: 'Never', mount() {} })
      } }`,
    )
    writeFileSync(
      path.join(brought, 'misspelt.js'),
      `export default { contract: 1, setup: (desk) => desk.definePanel({ name: 'misspelt', title: 'Misspelt', type: ['api::mood.mood'], mount() {} }) }`,
    )
    writeFileSync(
      path.join(brought, 'listed.js'),
      `export default { contract: 1, setup: (desk) => desk.defineField({ name: 'listed', for: { type: 'string' }, mount() {} }) }`,
    )
    writeFileSync(
      path.join(brought, 'placeless.js'),
      `export default { contract: 1, setup(desk) {
        desk.definePanel({ name: 'mod', title: 'Mod', types: ['api::mod.mod'], mount() {} })
        desk.defineAction({ name: 'mood', label: 'Mood', types: ['api::mod.mod', 'api::mood.mood'], run() {} })
        desk.defineCell({ name: 'colour', for: ['plugin::color-piker.color'], mount() {} })
      } }`,
    )
    writeFileSync(path.join(brought, 'others.js'), `export { default } from './lib/others.js'`)
    writeFileSync(path.join(brought, 'lib/others.js'), others)
    const moods = definePlugin({
      name: 'moods',
      setup(host) {
        host.hook('server:desk', (to) => to.extensions(pathToFileURL(`${brought}/`)))
      },
    })
    site = await openSite([mood], [], {
      plugins: [draftPublish({ actions: true }), editors(), desk({ extensions: own }), moods],
    })
  })
  afterAll(async () => {
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const modules = async (): Promise<readonly { readonly name: string; readonly address: string }[]> => {
    const html = await (await fetch(`${site.url}/desk`)).text()
    const given = /data-extensions="([^"]*)"/.exec(html)?.[1] ?? ''
    return JSON.parse(given.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))))
  }

  it('the colour field of the guide has at most 60 lines, and its types are checked without a build', async () => {
    expect(colour.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
    const types = path.join(folder, 'types')
    mkdirSync(types)
    writeFileSync(path.join(types, 'colour.js'), colour)
    // Types that are not found would be any type.
    writeFileSync(path.join(types, 'mistaken.js'), colour.replace('contract: 1', 'contract: 3'))
    const compilerOptions = {
      ...{ checkJs: true, strict: true, noEmit: true, skipLibCheck: true, types: [] },
      ...{ target: 'es2022', lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler' },
      allowImportingTsExtensions: true,
      paths: {
        '@octavo/plugin-desk/extension': [fileURLToPath(new URL('../src/extension.ts', import.meta.url))],
      },
    }
    writeFileSync(path.join(types, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [
      tsc,
      '-p',
      types,
      '--pretty',
      'false',
    ]).catch((error: { stdout: string }) => error)
    expect(stdout.match(/^\S.*error TS/gm)).toEqual([expect.stringMatching(/mistaken\.js\(3,3\): error TS/)])
    expect(stdout).toContain("Type '3' is not assignable to type '1'")
  })

  it('the files of the folders are served under an address that changes with them, and no others', async () => {
    const all = await modules()
    expect(all.map(({ name }) => name)).toEqual([
      'site/colour.js',
      'moods/broken.js',
      'moods/endless.js',
      'moods/later.js',
      'moods/listed.js',
      'moods/misspelt.js',
      'moods/others.js',
      'moods/placeless.js',
      'moods/untitled.js',
      'moods/waiting.js',
    ])
    const address = all[0]?.address ?? ''
    const answer = await fetch(`${site.url}${address}`)
    expect(await answer.text()).toBe(colour)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const inside = (all.find(({ name }) => name === 'moods/others.js')?.address ?? '').replace(
      'others.js',
      'lib/others.js',
    )
    expect((await fetch(`${site.url}${inside}`)).status).toBe(200)
    for (const name of ['.hidden.js', 'notes.txt', 'linked.js', '..%2Fsecret.js', 'lib/others.js', 'lib'])
      expect([name, (await fetch(`${site.url}${address.replace('colour.js', name)}`)).status]).toEqual([
        name,
        404,
      ])
    const older = address.replace(/[^/]+\/colour\.js$/, 'AAAAAAAAAAAA/colour.js')
    expect((await fetch(`${site.url}${older}`)).status).toBe(404)
  })

  it.each([
    ['that does not exist', () => path.join(folder, 'none')],
    ['without a module', () => path.join(brought, 'lib/none')],
    ['with too many files', () => path.join(folder, 'many')],
  ])('a folder %s stops the start and is named', async (_, where) => {
    mkdirSync(path.join(brought, 'lib/none'), { recursive: true })
    mkdirSync(path.join(folder, 'many'), { recursive: true })
    for (let i = 0; i <= 200; i++) writeFileSync(path.join(folder, `many/${i}.js`), '')
    const opening = openSite([mood], [], { plugins: [editors(), desk({ extensions: where() })] })
    await expect(opening).rejects.toThrow(where())
  })

  describe.runIf(chromiumPath())('in Chromium', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await chromium.launch(chromiumOptions())
    })
    afterAll(() => browser?.close())

    /** A desk waits three seconds for a module that never ends: here it ends at once, and is none. */
    const endless = '**/endless.js'

    /** Opens a page. @returns what the page and the policy complain about as well */
    async function visit(address: string, email = 'ada@example.org') {
      const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await signIn(context, site.url, email)
      await page.route(endless, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: 'export default {}' }),
      )
      await page.goto(`${site.url}${address}`)
      return { page, complaints }
    }
    const stored = async (id: number) => {
      const ada = await site.signIn('ada@example.org')
      return (await site.send(ada, 'GET', `content/moods/${id}?publicationState=preview`)).body.data
        .attributes
    }
    const made = async (values: object): Promise<number> => {
      const ada = await site.signIn('ada@example.org')
      const { status, body } = await site.send(ada, 'POST', 'content/moods', { data: values })
      expect([status, body.error]).toEqual([200, undefined])
      return body.data.id
    }
    const checkAccessible = async (page: Page): Promise<void> => {
      expect(await violationsOf(page)).toEqual([])
    }

    it('a field of an extension shows a value, writes it, undoes it, and a cell shows it in the list', async () => {
      const id = await made({ name: 'Calm', colour: '#336699' })
      const { page, complaints } = await visit(`/desk/content/moods/${id}`)
      const text = page.getByRole('textbox', { name: 'Colour', exact: true })
      expect(await text.inputValue()).toBe('#336699')
      await page.getByLabel('Colour: choose').fill('#ff8800')
      await expect.poll(() => text.inputValue()).toBe('#ff8800')
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => text.inputValue()).toBe('#336699')
      await text.fill('#00aa55')
      await checkAccessible(page)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      expect(await stored(id)).toMatchObject({ name: 'Calm', colour: '#00aa55' })
      await page.getByRole('link', { name: 'Moods' }).first().click()
      const cell = page.getByRole('cell', { name: '#00aa55' }).locator('.cell > div')
      expect(await cell.evaluate((element) => getComputedStyle(element).borderInlineStartColor)).toBe(
        'rgb(0, 170, 85)',
      )
      // The modules that are left out are in the log, and the policy has nothing to say.
      expect(
        complaints.filter(
          (one) => !/moods\/(?:others|broken|later|endless|untitled|waiting|misspelt|listed)\.js/.test(one),
        ),
      ).toEqual([])
      await page.context().close()
    })

    it('a field that fails is named, is drawn by its type, and keeps its value', async () => {
      const value = 'left\nas it is  '
      const id = await made({ name: 'Failing', onMount: value, onEmpty: value, onUpdate: value })
      const { page } = await visit(`/desk/content/moods/${id}`)
      await page.getByText('The extension mount (moods/others.js) does not work here.').waitFor()
      await page.getByText('The extension empty (moods/others.js) does not work here.').waitFor()
      await page.getByLabel('On mount').fill('written by the type')
      await page.getByLabel('Name').fill('Still there')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      expect(await stored(id)).toMatchObject({
        ...{ name: 'Still there', onMount: 'written by the type', onEmpty: value, onUpdate: value },
      })
      await page.context().close()
    })

    it('panels, pages and actions of extensions work beside those of the desk', async () => {
      const id = await made({ name: 'Gladness' })
      const { page } = await visit(`/desk/content/moods/${id}`)
      await page.getByRole('region', { name: 'Length' }).getByText('8 letters').waitFor()
      await page.getByLabel('Name').fill('Gladnesses')
      await page.getByText('10 letters').waitFor()
      expect(await page.getByRole('button', { name: 'Greet' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Shorten' }).click()
      await page.getByText('3 letters').waitFor()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      await page.getByRole('button', { name: 'Greet' }).click()
      await page.getByText('Hello, Gla').waitFor()
      await page.getByRole('button', { name: 'Fail', exact: true }).click()
      await page.getByText('The extension fail (moods/others.js) does not work here.').waitFor()
      await checkAccessible(page)
      await page.getByRole('link', { name: 'All moods' }).click()
      await page.getByRole('heading', { name: 'All moods' }).waitFor()
      await page.getByText(/Gla(?:,|$)/).waitFor()
      await page.getByRole('link', { name: 'Broken' }).click()
      await page.getByText('The extension broken (moods/others.js) does not work here.').waitFor()
      await checkAccessible(page)
      await page.unroute(endless)
      await page.goto(`${site.url}/desk`)
      await page.getByText('The extension moods/later.js was left out: it is written for version 2').waitFor()
      for (const [name, reason] of [
        ['broken', ''],
        ['endless', ': it has not been loaded within 3 seconds'],
        ['untitled', ': untitled: title must be a text, or texts by language, not {"en":{}}'],
        ['misspelt', ': misspelt has a key "type", which is unknown; there are name, title, types, mount'],
        ['listed', ': listed: for must be a name or a list of names, not {"type":"string"}'],
        ['waiting', ': never is defined after setup has returned'],
      ])
        await page.getByText(`The extension moods/${name}.js was left out${reason}`).waitFor()
      await page.context().close()
    })

    it('definitions for names that the site does not have are named in the console, for a person who sees everything', async () => {
      const context = await browser.newContext()
      const page = await context.newPage()
      const warnings: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'warning') warnings.push(message.text())
      })
      await page.route(endless, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
      await signIn(context, site.url, 'ada@example.org')
      await page.goto(`${site.url}/desk`)
      await expect
        .poll(() => warnings.filter((one) => one.startsWith('moods/')))
        .toEqual([
          'moods/placeless.js: colour is for plugin::color-piker.color, and this site has no custom field or attribute type of that name; it appears nowhere.',
          'moods/placeless.js: mod is for api::mod.mod, and this site has no content-type of that name; it appears nowhere.',
        ])
      await context.close()
    })

    it('an action may change the entry, whose page shows it then; what an action or an update returns besides is no sentence', async () => {
      const id = await made({ name: 'First', colour: '#336699' })
      const { page, complaints } = await visit(`/desk/content/moods/${id}`)
      const panel = page.getByRole('region', { name: 'Language' })
      await panel.getByText('in en ltr').waitFor()
      await page.getByRole('button', { name: 'Do nothing' }).click()
      await page.getByRole('button', { name: 'Rename' }).click()
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Renamed')
      // Its panels that fail later are named, and the actions are not.
      const failed = await page.getByText('does not work here').allTextContents()
      expect(failed.map((one) => /extension (\S+) /.exec(one)?.[1])).toEqual([
        'mount',
        'empty',
        'later',
        'later',
      ])
      await page.getByLabel('Name').fill('Renamed again')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      await page.getByRole('region', { name: 'Language' }).getByText('in en ltr').waitFor()
      expect(await stored(id)).toMatchObject({ name: 'Renamed again', colour: '#336699' })
      expect(complaints.filter((one) => !/^The extension /.test(one))).toEqual([])
      await page.context().close()
    })

    it('what is typed while an action runs stays', async () => {
      const id = await made({ name: 'First', colour: '#336699' })
      const { page } = await visit(`/desk/content/moods/${id}`)
      const renaming = await hold(page, new RegExp(`/desk/api/content/moods/${id}$`))
      await page.getByRole('button', { name: 'Rename' }).click()
      await renaming.some()
      await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#00aa55')
      await renaming.each(pass)
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Renamed')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      expect(await stored(id)).toMatchObject({ name: 'Renamed', colour: '#00aa55' })
      await page.context().close()
    })

    it('of two pages with one name the first one is shown, and language and direction are those of the pages', async () => {
      const id = await made({ name: 'Spoken' })
      const { page } = await visit('/desk/settings')
      await page.getByRole('link', { name: 'All moods' }).waitFor()
      expect(await page.getByRole('link', { name: 'Other moods' }).count()).toBe(0)
      await page.getByLabel('Language of the desk').selectOption('ar')
      await page.getByRole('button', { name: 'Save', exact: true }).first().click()
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('ar')
      await page.locator('a[href="/desk/content/moods"]').click()
      await page.locator(`a[href="/desk/content/moods/${id}"]`).first().click()
      await page.getByText('in ar rtl').waitFor()
      await page.context().close()
    })

    it('an extension has the rights of the person only', async () => {
      const id = await made({ name: 'Not mine', colour: '#123456' })
      const rights = [{ action: 'read', type: 'api::mood.mood', fields: ['colour'] }]
      await site.hire('ben', rights)
      const { page } = await visit(`/desk/content/moods/${id}`, 'ben@example.org')
      expect(await page.getByRole('textbox', { name: 'Colour', exact: true }).isDisabled()).toBe(true)
      await page.getByRole('link', { name: 'All moods' }).click()
      await page.getByText('refused: 400').waitFor()
      await page.context().close()
    })
  })
})

it('the types of the contract are an entry of the package', () => {
  const { exports } = createRequire(import.meta.url)('../package.json')
  expect(exports['./extension'].types).toBe('./dist/extension.d.ts')
})
