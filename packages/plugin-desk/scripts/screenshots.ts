/**
 * Pictures of every screen of the desk, light, dark and narrow, to look at beside a drawing:
 *
 *     OCTAVO_TEST_ENGINE=pglite node packages/plugin-desk/scripts/screenshots.ts FOLDER [parts of names, such as list,offline]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { webhooks } from '@octavo/plugin-webhooks'
import { chromiumPath } from '@octavo/testing'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { openDesk, password } from '../test/reading-room.ts'

const [, , to = 'desk-screenshots', only = ''] = process.argv
const isWanted = (name: string): boolean => only.split(',').some((part) => name.includes(part))
mkdirSync(to, { recursive: true })

const looks = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: 'narrow', colorScheme: 'light', width: 360 },
  // Pages from right to left, without the steps of a screen, whose words are English.
  { name: 'arabic', colorScheme: 'light', width: 1280, locale: 'ar' },
  { name: 'arabic-narrow', colorScheme: 'light', width: 360, locale: 'ar' },
] as const satisfies readonly Look[]

const long =
  'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle und andere lange Namen, die kein Ende nehmen'

const folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-screenshots-'))
const site = await openDesk(
  folder,
  [usersPermissions({ jwt: { secret: 'a secret of the screenshots, at least 32 characters' } }), webhooks()],
  [
    {
      kind: 'collectionType',
      info: { singularName: 'story', pluralName: 'stories' },
      attributes: {
        title: { type: 'string' },
        text: { type: 'blocks' },
        tags: { type: 'json', customField: 'plugin::tagsinput.tags' },
      },
    },
  ],
)
const state = unrestricted('fills the screenshots')
const article = await site.octavo.entries('article', state).create({
  headline: long,
  summary: long.repeat(2),
  body: `# ${long}\n\n${'The river had been quiet for so long. '.repeat(40)}`,
  facts: { river: { length: 12, towns: ['Upper', 'Lower'] } },
  links: [
    { label: long, address: `https://example.org/${'a'.repeat(200)}` },
    { label: 'Short', address: '/' },
  ],
  categories: [1, 2, 3],
  writtenBy: 2,
  publishedAt: null,
} as never)

const words = (text: string, more: object = {}) => ({ type: 'text', text, ...more })
const story = await site.octavo.entries('story', state).create({
  title: 'The river speaks',
  tags: ['rivers', 'towns'],
  text: [
    { type: 'heading', level: 2, children: [words('A town that listens')] },
    {
      type: 'paragraph',
      children: [words('The river had been '), words('quiet', { bold: true }), words(' for so long.')],
    },
    { type: 'quote', children: [words('It spoke.')] },
    {
      type: 'list',
      format: 'unordered',
      children: ['Listen', 'Write it down'].map((one) => ({ type: 'list-item', children: [words(one)] })),
    },
    { type: 'code', children: [words('const river = "quiet"')] },
  ],
} as never)

interface Look {
  readonly name: string
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
  readonly locale?: string
}

interface Screen {
  readonly name: string
  readonly address: string
  /** After the page is there. */
  readonly act?: (page: Page, look: string) => Promise<unknown>
}

const entry = `/desk/content/articles/${site.quiet}`
const screens: readonly Screen[] = [
  { name: 'home', address: '/desk' },
  { name: 'list', address: '/desk/content/articles' },
  {
    name: 'list-selected',
    address: '/desk/content/articles',
    act: (page) => page.getByLabel('Select The quiet river').check(),
  },
  {
    name: 'list-change-field',
    address: '/desk/content/articles',
    act: async (page) => {
      await page.getByLabel('Select The quiet river').check()
      await page.getByRole('button', { name: 'Change a field' }).click()
    },
  },
  {
    name: 'list-filter',
    address: '/desk/content/articles',
    act: (page) => page.getByRole('button', { name: '+ Filter' }).click(),
  },
  {
    name: 'list-filter-groups',
    address:
      '/desk/content/articles?filters[$or][0][categories][name][$ne]=Letters&filters[$or][0][categories][id][$gt]=1&filters[$or][1][$not][writtenBy][name][$eq]=Ada',
    act: (page) => page.locator('.tag > button').first().click(),
  },
  { name: 'list-nothing-found', address: '/desk/content/articles?q=nothing+has+this' },
  { name: 'entry', address: entry },
  {
    name: 'entry-open',
    address: entry,
    act: (page) => page.getByRole('button', { name: 'Open all' }).click(),
  },
  {
    name: 'entry-mistakes',
    address: entry,
    act: async (page) => {
      await page.getByLabel('Summary').fill('')
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByText('to correct').waitFor()
    },
  },
  { name: 'entry-long-names', address: `/desk/content/articles/${article.id}` },
  {
    name: 'entry-picker',
    address: entry,
    act: async (page) => {
      const field = page.getByRole('combobox', { name: 'Find or create: categories' })
      // A page that scrolls closes the list.
      await field.click()
      await page.waitForTimeout(500)
      await field.fill('s')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'entry-panel',
    address: entry,
    act: (page) => page.getByRole('button', { name: 'Open Rivers here' }).click(),
  },
  {
    name: 'entry-conflict',
    address: entry,
    act: async (page, look) => {
      const [mine, theirs] = ['The river speaks to those who listen.', 'The river speaks to nobody at all.']
      await page.getByLabel('Summary').fill(`${mine} (${look})`)
      await site.octavo.entries('article', state).update(site.quiet, { summary: `${theirs} (${look})` })
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByText('Choose which text stays').waitFor()
    },
  },
  {
    name: 'entry-insert',
    address: entry,
    act: (page) => page.getByRole('button', { name: 'Insert a part' }).last().click(),
  },
  {
    name: 'entry-files',
    address: entry,
    act: (page) => page.getByRole('button', { name: 'Choose from the library' }).first().click(),
  },
  { name: 'texts-blocks', address: `/desk/content/stories/${story.id}` },
  {
    name: 'texts-markdown',
    address: entry,
    act: async (page) => {
      await page.getByRole('toolbar').first().waitFor()
      await page.getByRole('button', { name: 'Preview' }).scrollIntoViewIfNeeded()
      await page.getByRole('button', { name: 'Preview' }).click()
    },
  },
  {
    name: 'entry-slug',
    address: entry,
    act: async (page) => {
      await page.getByLabel('Slug').fill('the-quiet')
      await page.getByText('No other entry').waitFor()
    },
  },
  {
    name: 'entry-json-mistake',
    address: entry,
    act: async (page) => {
      await page.getByLabel('Facts').fill('{ "river": ')
      await page.getByText('This is not valid JSON yet').waitFor()
    },
  },
  {
    name: 'entry-field-failed',
    address: entry,
    act: async (page) => {
      await page.route('**/assets/relation-*', (route) => route.abort())
      await page.reload()
      await page.getByText('cannot be shown here').first().waitFor()
    },
  },
  {
    name: 'list-loading',
    address: '/desk',
    act: async (page) => {
      await page.route(/api\/content\/articles\?/, () => {})
      await page.goto(`${site.url}/desk/content/articles`)
      await page.getByRole('main').getByText('Loading takes longer').waitFor()
    },
  },
  {
    name: 'list-refused',
    address: '/desk',
    act: async (page) => {
      await page.route(/api\/content\/articles\?/, (route) => route.fulfill({ status: 429, body: '{}' }))
      await page.goto(`${site.url}/desk/content/articles`)
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'entry-new', address: '/desk/content/articles/new' },
  { name: 'translation', address: `/desk/content/articles/new?locale=fr&from=${site.quiet}` },
  { name: 'single', address: '/desk/content/imprint' },
  { name: 'media', address: '/desk/media' },
  {
    name: 'media-file',
    address: '/desk/media',
    act: async (page) => {
      const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes on rivers') }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.locator('.tile').first().click()
    },
  },
  { name: 'people', address: '/desk/people' },
  {
    name: 'people-invite',
    address: '/desk/people',
    act: (page) => page.getByRole('button', { name: 'Invite a person' }).click(),
  },
  { name: 'roles', address: '/desk/roles' },
  { name: 'role-new', address: '/desk/roles?role=new' },
  { name: 'layouts', address: '/desk/layouts?type=api::article.article' },
  {
    name: 'role-limits',
    address: '/desk/roles?role=new',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Change: Articles' }).check()
      await page.getByRole('button', { name: /Limits of Change: Articles/ }).click()
    },
  },
  { name: 'tokens', address: '/desk/tokens' },
  {
    name: 'token-new',
    address: '/desk/tokens',
    act: (page) => page.getByRole('button', { name: 'New token' }).click(),
  },
  { name: 'webhooks', address: '/desk/webhooks' },
  {
    name: 'webhook-new',
    address: '/desk/webhooks',
    act: (page) => page.getByRole('button', { name: 'New webhook' }).click(),
  },
  {
    name: 'locales',
    address: '/desk/locales',
  },
  { name: 'settings', address: '/desk/settings' },
  { name: 'no-such-page', address: '/desk/content/nothing' },
  { name: 'no-such-entry', address: '/desk/content/articles/999999' },
  {
    name: 'offline',
    address: entry,
    // A save that waits is sent after all, so that the text of another look would be stored already.
    act: async (page, look) => {
      await page.getByLabel('Summary').fill(`Typed in a tunnel, ${look}.`)
      await page.context().setOffline(true)
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByText('The server cannot be reached').waitFor()
    },
  },
  {
    name: 'session-ended',
    address: entry,
    act: async (page, look) => {
      await page.getByLabel('Summary').fill(`Typed before the end, ${look}.`)
      await page.context().clearCookies()
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByText('Your session has ended').waitFor()
    },
  },
]

/** The session of the person, from the first look on. */
let cookies: Awaited<ReturnType<BrowserContext['cookies']>> = []

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill('ada@example.org')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.rail').waitFor()
  cookies = await page.context().cookies()
}

async function take(browser: Browser, look: Look) {
  const { name: lookName, colorScheme, width, locale = 'en-GB' } = look
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, locale })
  const page = await context.newPage()
  const shot = async (name: string) => {
    // A dialog and a list to choose from lie over the window, not over the page, and a list closes when the page scrolls.
    const fullPage = (await page.locator('dialog[open], .popover').count()) === 0
    // The bar stays at the top of the window.
    if (fullPage) await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path: path.join(to, `${name}-${lookName}.png`), fullPage })
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    if (isWide) console.log(`${name}-${lookName} is wider than the window`)
  }
  await page.goto(`${site.url}/desk`)
  await page.locator('form.sign-in').waitFor()
  if (isWanted('sign-in')) await shot('sign-in')
  if (locale === 'en-GB') await signIn(page)
  const shown = screens.filter(({ name, act }) => isWanted(name) && (locale === 'en-GB' || !act))
  for (const { name, address, act } of shown) {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    await context.addCookies(cookies)
    // A page that is left keeps what was typed: its copies go when it is gone.
    await page.goto(`${site.url}/_health/ready`)
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${site.url}${address}`)
    await page.waitForLoadState('networkidle')
    try {
      await act?.(page, lookName)
      await page.waitForTimeout(300)
      await shot(name)
    } catch (error) {
      console.log(`${name}-${lookName}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  await context.close()
}

const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: ['--no-sandbox'] })
try {
  for (const look of looks) await take(browser, look)
} finally {
  await browser.close()
  await site.close()
  rmSync(folder, { recursive: true, force: true })
}
