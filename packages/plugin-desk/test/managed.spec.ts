/** The rooms for API tokens, webhooks and locales in Chromium. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { definePlugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { webhooks } from '@octavo/plugin-webhooks'
import { chromiumOptions, chromiumPath } from '@octavo/testing'
import { violationsOf } from '@octavo/testing/violations'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { languageCodes, textsFor } from '../src/browser/text/index.ts'
import { desk } from '../src/index.ts'
import { looks } from './accessible.ts'
import { signIn } from './entry/visit.ts'
import { openSite, type Site } from './site.ts'
import { brokenWords, overflowing } from './words.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const article = 'api::article.article'
const executablePath = chromiumPath()

/** A plugin of somebody else, with an action that no language of the desk has words for. */
const shop = definePlugin({
  name: 'shop',
  setup: (host) => host.actions(() => [{ name: 'plugin::shop.order.send' }]),
})

describe.runIf(executablePath)('The rooms for tokens, webhooks and locales', () => {
  let site: Site
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-managed-'))
    const secret = 'a secret of the tests of the desk, 32 characters'
    site = await openSite(
      [
        {
          kind: 'collectionType',
          info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
          options: { draftAndPublish: true },
          pluginOptions: { i18n: { localized: true } },
          attributes: { title: { type: 'string' } },
        },
      ],
      [],
      {
        plugins: [
          i18n({ locales: ['en', 'de'] }),
          draftPublish({ actions: true }),
          usersPermissions({ jwt: { secret } }),
          upload({ provider: localDisk({ folder }) }),
          shop,
          // Nobody listens there, so that a test of a webhook fails at once and without a network.
          webhooks({ privateHosts: ['127.0.0.1:1'], poll: 50, delay: 1 }),
          editors(),
          desk(),
        ],
      },
    )
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  interface Visit {
    readonly page: Page
    /** Errors and warnings of the console. */
    readonly complaints: readonly string[]
  }

  async function visit(
    address: string,
    email = 'ada@example.org',
    look: { readonly colorScheme?: 'light' | 'dark'; readonly width?: number; readonly locale?: string } = {},
  ): Promise<Visit> {
    const { colorScheme = 'light', width = 1280, locale = 'en-GB' } = look
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      locale,
    })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      // Chromium reports refused requests: the first one of a visitor, and one of a test.
      const isExpected = /status of 40[01]/.test(message.text())
      if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await signIn(context, site.url, email)
    await page.goto(`${site.url}${address}`)
    return { page, complaints }
  }

  async function leave({ page, complaints }: Visit): Promise<void> {
    expect(complaints).toEqual([])
    await page.context().close()
  }

  async function checkAccessible(page: Page): Promise<void> {
    expect(await violationsOf(page)).toEqual([])
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    expect(isWide).toBe(false)
  }

  /** Words that are broken or cut. */
  const brokenIn = async (page: Page) => [
    ...(await page.evaluate(brokenWords)),
    ...(await page.evaluate(overflowing)),
  ]

  /** A picture of the page, where `OCTAVO_SCREENSHOTS` names a folder. */
  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env.OCTAVO_SCREENSHOTS
    if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
  }

  describe.each(looks)('in the %s scheme, %d pixels wide', (colorScheme, width) => {
    it('are accessible and fit, with their dialogs', async () => {
      const ada = await site.signIn('ada@example.org')
      const name = `${colorScheme} ${width}`
      await site.send(ada, 'POST', 'tokens', { name, access: 'read-only' })
      await site.send(ada, 'POST', 'webhooks', { name, url: 'https://example.org/build' })
      const visited = await visit('/desk/tokens', undefined, { colorScheme, width })
      const { page } = visited
      const dialog = page.getByRole('dialog')
      await page.getByText(name, { exact: true }).waitFor()
      await checkAccessible(page)
      await picture(page, `tokens-${colorScheme}-${width}`)
      await page.getByRole('button', { name: 'New token' }).click()
      await dialog.getByLabel('Do only this').check()
      await dialog.getByLabel('findOne').first().waitFor()
      await checkAccessible(page)
      await picture(page, `new-token-${colorScheme}-${width}`)
      await page.goto(`${site.url}/desk/webhooks`)
      await page.getByRole('button', { name, exact: true }).waitFor()
      await checkAccessible(page)
      await picture(page, `webhooks-${colorScheme}-${width}`)
      await page.getByRole('button', { name, exact: true }).click()
      await dialog.getByText('Nothing was sent yet.').waitFor()
      await checkAccessible(page)
      await picture(page, `webhook-${colorScheme}-${width}`)
      await page.goto(`${site.url}/desk/locales`)
      await page.getByRole('button', { name: 'New language' }).click()
      await dialog.getByLabel('Code').waitFor()
      await checkAccessible(page)
      await picture(page, `locales-${colorScheme}-${width}`)
      await leave(visited)
    })
  })

  it('a token is made, whose text is shown once, and ended', async () => {
    const visited = await visit('/desk/tokens')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'New token' }).click()
    await dialog.getByLabel('What it is for').fill('the site')
    await dialog.getByLabel('Last day').focus()
    await page.keyboard.type('0303202662999')
    expect(await dialog.getByLabel('Last day').inputValue()).toBe('2999-03-03')
    await dialog.getByLabel('Do only this').check()
    await dialog.getByRole('group', { name: 'Articles' }).getByLabel('List and find').check()
    await dialog.getByRole('button', { name: 'Make the token' }).click()
    const token = await dialog.getByLabel('The token.').inputValue()
    expect(token).toMatch(/^octavo_/)
    const ask = () => fetch(`${site.url}/api/articles`, { headers: { authorization: `Bearer ${token}` } })
    expect((await ask()).status).toBe(200)
    const questions: string[] = []
    page.on('dialog', (question) => {
      questions.push(question.message())
      void question.dismiss()
    })
    // The keyboard is at the token, in place of the form.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.matches('input[readonly]')))
      .toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => questions).toEqual([expect.stringContaining('shown only now')])
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(questions).toHaveLength(2)
    expect(await dialog.getByLabel('The token.').inputValue()).toBe(token)
    await dialog.getByLabel('The token.').press('ControlOrMeta+c')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(questions).toHaveLength(2)
    const row = page.getByRole('listitem').filter({ hasText: 'the site' })
    const access = row.getByText('List and find: Articles', { exact: true })
    expect(await access.getAttribute('title')).toBe(`${article}.find`)
    await row.getByText('3 March 2999').waitFor()
    expect(await page.getByText(token).count()).toBe(0)
    await row.getByRole('button', { name: 'End the token the site' }).click()
    await row.getByRole('button', { name: 'Delete for good' }).click()
    await row.waitFor({ state: 'detached' })
    // The next key begins at the list, not in the menu of the page.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    expect((await ask()).status).toBe(401)
    await leave(visited)
  })

  it.each(languageCodes)(
    'actions and events have words beside the names of programs: %s',
    async (language) => {
      const text = await textsFor([language])
      const visited = await visit('/desk/tokens', undefined, { locale: language, width: 360 })
      const { page } = visited
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: text.newToken }).click()
      await dialog.getByLabel(text.accessNames.list).check()
      await dialog.getByRole('checkbox').first().waitFor()
      const labels = dialog.locator('label', { has: page.getByRole('checkbox') })
      const shown = await labels.evaluateAll((all) =>
        all.map((one) => ({
          value: one.querySelector('input')?.value ?? '',
          words: one.querySelector('span')?.firstChild?.textContent ?? '',
          name: one.querySelector('small')?.textContent,
        })),
      )
      expect(shown.length).toBeGreaterThan(40)
      // Of an action that is not known, its name is all that is shown.
      const unknown = shown.filter(({ words, name }) => words === '' || name === undefined)
      expect(unknown).toEqual([{ value: 'plugin::shop.order.send', words: 'send' }])
      for (const { value, name } of shown) expect([undefined, value.split('.').at(-1)]).toContain(name)
      const wordsOf = (value: string) => shown.find((one) => one.value === value)?.words
      expect(['create', 'update', 'delete', 'publish'].map((one) => wordsOf(`${article}.${one}`))).toEqual(
        (['create', 'update', 'delete', 'publish'] as const).map((one) => text.actionNames[one]),
      )
      expect(await brokenIn(page)).toEqual([])
      await picture(page, `actions-${language}`)
      await page.goto(`${site.url}/desk/webhooks`)
      await page.getByRole('button', { name: text.newWebhook }).click()
      for (const [event, words] of Object.entries(text.eventNames))
        if (event !== 'trigger-test')
          await dialog.getByRole('checkbox', { name: `${words} ${event}`, exact: true }).waitFor()
      expect(await brokenIn(page)).toEqual([])
      await picture(page, `events-${language}`)
      await leave(visited)
    },
  )

  it('a webhook is made, tested, changed, given a new secret, and deleted', async () => {
    const visited = await visit('/desk/webhooks')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await dialog.getByLabel('Name of the webhook').fill('rebuild')
    await dialog.getByLabel('Address').fill('http://127.0.0.1:1/hook')
    await dialog.getByLabel('Entry deleted').uncheck()
    await dialog.getByLabel('Everything, also what is added later').uncheck()
    await dialog.getByLabel('Articles', { exact: true }).check()
    await dialog.getByLabel('Headers').fill('Authorization: Bearer x')
    await dialog.getByRole('button', { name: 'Make the webhook' }).click()
    const secret = dialog.getByLabel('The secret of its signatures.')
    expect(await secret.inputValue()).toMatch(/^whsec_/)
    await secret.press('ControlOrMeta+c')
    await dialog.getByRole('button', { name: 'Close' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'rebuild' })
    await row.getByText('On', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'rebuild' }).click()
    await dialog.getByRole('button', { name: 'Send a test' }).click()
    await dialog.getByText('The test failed: ').waitFor()
    await dialog.getByRole('button', { name: 'New secret' }).click()
    expect(await secret.inputValue()).toMatch(/^whsec_/)
    expect(await dialog.getByLabel('Headers').inputValue()).toBe('authorization:\n')
    // Another server does not get the stored headers; the refusal says so.
    await dialog.getByLabel('Address').fill('https://example.org/hook')
    // The save would close the dialog.
    const question = page.waitForEvent('dialog')
    const asked = question.then((given) => given.dismiss())
    await dialog.getByRole('button', { name: 'Save' }).click()
    await asked
    expect((await question).message()).toContain('shown only now')
    await secret.press('ControlOrMeta+c')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Headers').fill('')
    await dialog.getByLabel('Send events').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Off', { exact: true }).waitFor()
    const ada = await site.signIn('ada@example.org')
    const { webhooks: all } = (await site.send(ada, 'GET', 'webhooks')).body
    expect(all.find(({ name }: { name: string }) => name === 'rebuild')).toMatchObject({
      url: 'https://example.org/hook',
      events: ['entry.create', 'entry.update', 'entry.publish', 'entry.unpublish'],
      types: [article],
      headers: {},
      enabled: false,
    })
    await row.getByRole('button', { name: 'rebuild' }).click()
    await dialog.getByRole('button', { name: 'Delete the webhook' }).click()
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await row.waitFor({ state: 'detached' })
    await leave(visited)
  })

  it('a locale is added, made the default and deleted, and one that is needed stays', async () => {
    const visited = await visit('/desk/locales')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await row('English').getByText('Default', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'New language' }).click()
    await dialog.getByLabel('Code').fill('french')
    await dialog.getByRole('button', { name: 'Add the language' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'must be a code such as pt-BR' }).waitFor()
    await dialog.getByLabel('Code').fill('fr')
    await dialog.getByLabel('Name').fill('The French of the tests')
    await dialog.getByRole('button', { name: 'Add the language' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make it the default: The French of the tests' }).click()
    await row('The French of the tests').getByText('Default', { exact: true }).waitFor()
    // The configuration has German, so that it stays.
    const remove = async (name: string) => {
      await row(name)
        .getByRole('button', { name: /^Delete/ })
        .click()
      await row(name).getByRole('button', { name: 'Delete for good' }).click()
    }
    await remove('German')
    await page.getByRole('alert').filter({ hasText: 'The configuration has this language' }).waitFor()
    await page.getByRole('button', { name: /default: English/ }).click()
    await row('English').getByText('Default', { exact: true }).waitFor()
    await remove('The French of the tests')
    await row('The French of the tests').waitFor({ state: 'detached' })
    await leave(visited)
  })

  it('are there for those who may only, and offer what they may give', async () => {
    await site.hire('ann', [{ action: 'tokens' }, { action: 'read', type: article }])
    const visited = await visit('/desk/tokens', 'ann@example.org')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.getByRole('link', { name: 'API tokens' }).waitFor()
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
    await page.getByRole('button', { name: 'New token' }).click()
    await dialog.getByRole('group', { name: 'Articles' }).waitFor()
    expect(await dialog.getByRole('radio').count()).toBe(1)
    // Two of articles, and the list of locales.
    expect(await dialog.getByRole('checkbox').count()).toBe(3)
    await page.goto(`${site.url}/desk/webhooks`)
    await page.getByRole('link', { name: 'API tokens' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Webhooks' }).count()).toBe(0)
    await leave(visited)
  })
})
