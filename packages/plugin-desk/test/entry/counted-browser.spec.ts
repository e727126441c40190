/** How fast the desk is, as far as that is counted without a clock: what a key draws and lays out, what is asked for, and what is made of many folders. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { takeDrawn } from '@octavo/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDesk } from '../reading-room.ts'
import { executablePath, launch, visit, withoutPauses } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const story: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'story', pluralName: 'stories' },
  attributes: { title: { type: 'string', required: true }, body: { type: 'blocks' } },
}

/** The objects of each layout of the page while something is done. */
async function laidOut(page: Page, act: () => Promise<void>): Promise<readonly number[]> {
  const session = await page.context().newCDPSession(page)
  const counts: number[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args } of value as unknown as readonly Layout[])
      if (name === 'Layout' && args.beginData) counts.push(args.beginData.totalObjects)
  })
  const traceConfig = { includedCategories: ['devtools.timeline'] }
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  await act()
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await ended
  return counts
}

/** An event of a trace, as far as it is read. */
interface Layout {
  readonly name: string
  readonly args: { readonly beginData?: { readonly totalObjects: number } }
}

/** Two frames, after which what was done before is drawn. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

describe.runIf(executablePath)('What the desk does is counted', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-counted-'))
  const state = unrestricted('fills the tests')
  let site: Awaited<ReturnType<typeof openDesk>>
  let browser: Browser

  beforeAll(async () => {
    site = await openDesk(folder, [], [story])
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const create = async (type: 'article' | 'category' | 'story', data: object): Promise<number> =>
    (await site.octavo.entries(type, state).create(data as never)).id

  /** Paths of requests to the server below `/desk/api`, as they are sent. */
  const asking = (page: Page): string[] => {
    const asked: string[] = []
    const start = `${site.url}/desk/api/`
    page.on('request', (request) => {
      if (request.url().startsWith(start)) asked.push(decodeURIComponent(request.url().slice(start.length)))
    })
    return asked
  }

  it('a key lays out the line in which it is typed, and nothing around it', async () => {
    const sections = Array.from({ length: 60 }, (_, i) => ({
      ...{ __component: 'section.hero', heading: `Heading ${i + 1}` },
    }))
    const id = await create('article', {
      headline: 'Lines',
      summary: 'Of many.',
      publishedAt: null,
      sections,
    })
    const { page, leave } = await visit(browser, site.url, `/desk/content/articles/${id}`)
    await page.getByRole('button', { name: 'Open all' }).click()
    const line = page.locator('.part').nth(30).getByLabel('Heading')
    await line.focus()
    // The first key makes the entry changed: its buttons are drawn anew.
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await drawn(page)
    const counts = await laidOut(page, async () => {
      await page.keyboard.type('spoken')
      await drawn(page)
    })
    expect(await line.inputValue()).toBe('Heading 31!spoken')
    // The input, the line in it and its text. What is not of a key, as what the page does when it rests, may lay out more.
    const keys = 'spoken'.length
    const ofLine = counts.filter((count) => count <= 3)
    expect(ofLine.length).toBeGreaterThanOrEqual(keys)
    expect(counts.length - ofLine.length).toBeLessThan(keys)
    await leave()
  })

  it('a key in a text of 50,000 letters draws one field anew', async () => {
    const words = 'The river had been quiet for so long that nobody could say when it had last been heard. '
    const paragraph = { type: 'paragraph', children: [{ type: 'text', text: words.repeat(5) }] }
    const body = Array.from({ length: Math.ceil(50_000 / (words.length * 5)) }, () => paragraph)
    const id = await create('story', { title: 'A long story', body })
    const { page, leave } = await visit(browser, site.url, `/desk/content/stories/${id}`)
    await page.locator('.writing-text p').nth(50).click()
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await drawn(page)
    await page.evaluate(takeDrawn)
    await page.keyboard.type('spoken')
    await page.locator('.writing-text').getByText('!spoken').waitFor()
    const { fields } = await page.evaluate(takeDrawn)
    expect(new Set(fields).size).toBe(1)
    expect(fields).toHaveLength('spoken'.length)
    await leave()
  })

  it('a list to choose from asks nothing again that its last answers tell', async () => {
    // The ten that are offered at first have none of the letters below: what is shown then comes from answers about these.
    for (const name of 'Birds Farms Ships Songs Docks Crops Roads Bricks Moors Yards'.split(' '))
      await create('category', { name })
    const { page, leave } = await visit(browser, site.url, 'about:blank')
    // Answers are used for some seconds, which may pass on a busy machine.
    await page.addInitScript(withoutPauses)
    await page.goto(`${site.url}/desk/content/articles/${site.quiet}`)
    const picker = page.getByRole('combobox', { name: 'Find or create: Categories' })
    await picker.click()
    await page.waitForLoadState('networkidle')
    const asked = asking(page)
    const texts = () =>
      asked.flatMap((one) => /\[name\]\[\$(\w+)\]=(.*)$/.exec(one)?.slice(1).join(' ') ?? [])
    await page.keyboard.type('l')
    // Without those that are linked.
    const shown = () => page.getByRole('option').allTextContents()
    await expect.poll(shown).toEqual(['Letters', 'Create the category “l”'])
    expect(texts().toSorted()).toEqual(['containsi l', 'startsWithi l'])
    await page.keyboard.type('ETT')
    await expect.poll(shown).toEqual(['Letters', 'Create the category “lETT”'])
    await page.keyboard.type('x')
    await expect.poll(shown).toEqual(['Create the category “lETTx”'])
    expect(texts()).toHaveLength(2)
    // Another text is another question.
    await picker.fill('e')
    await expect.poll(shown).toEqual(['Letters', 'Create the category “e”'])
    expect(texts()).toHaveLength(4)
    // A category that is made in between is found.
    await site.octavo.entries('category', state).create({ name: 'Letterpress' } as never)
    await picker.fill('t')
    await expect.poll(shown).toEqual(['Letters', 'Letterpress', 'Create the category “t”'])
    await leave()
  })

  it.each([
    ['/desk/content/categories', ['content/categories', 'views']],
    ['/desk/content/categories/1', ['content/categories/1']],
    ['/desk/media', ['files', 'folders']],
    ['/desk/people', ['people', 'roles']],
  ])('%s asks for the person, the model, the layouts and %j, each once', async (address, own) => {
    const { page, leave } = await visit(browser, site.url, 'about:blank')
    const asked = asking(page)
    await page.goto(`${site.url}${address}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    const paths = () => asked.map((one) => one.replace(/\?.*$/, '')).toSorted()
    await expect.poll(paths).toEqual(['me', 'model', 'layouts', ...own].toSorted())
    await leave()
  })

  it('of 10,000 folders a hundred are made, and a hundred more when they are asked for', async () => {
    const folders = Array.from({ length: 10_000 }, (_, i) => ({
      ...{ id: i + 1, name: `Folder ${i + 1}`, parent: i < 1_000 ? null : 1 + (i % 1_000) },
    }))
    const { page, leave } = await visit(browser, site.url, 'about:blank')
    await page.route('**/desk/api/folders?*', (route) => route.fulfill({ json: folders }))
    await page.goto(`${site.url}/desk/media`)
    const tree = page.locator('.tree')
    const count = () => tree.locator('.tree-name').count()
    // The place outside of all folders is one more.
    await expect.poll(count).toBe(101)
    await tree.getByRole('button', { name: '900 more' }).click()
    await expect.poll(count).toBe(201)
    await tree.getByRole('button', { name: 'Folders in Folder 1', exact: true }).click()
    await expect.poll(count).toBe(210)
    await tree.getByRole('searchbox').fill('Folder 9')
    await expect.poll(count).toBe(100)
    await leave()
  })
})
