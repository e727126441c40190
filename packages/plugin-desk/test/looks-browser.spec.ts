/** The pages in a browser that enlarges them, and on paper. */
import { describe, expect, it, vi } from 'vitest'
import { checkFits } from './accessible.ts'
import { executablePath, visit } from './entry/visit.ts'
import { openRoom } from './room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('The desk', () => {
  const room = openRoom()

  it('has each column of a list when the browser enlarges it, in a table that is scrolled', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/content/articles')
    const columns = page.getByRole('columnheader')
    await columns.filter({ hasText: 'Changed' }).waitFor()
    const all = await columns.allInnerTexts()
    // 1,280 pixels at 200 % and at 400 %.
    for (const width of [640, 320]) {
      await page.setViewportSize({ width, height: 450 })
      expect([width, ...(await columns.allInnerTexts())]).toEqual([width, ...all])
      await checkFits(page, `${width}`)
    }
    await page.locator('.table').evaluate((table) => table.scrollTo(table.scrollWidth, 0))
    for (const cell of ['td.col-main', 'td.col-updatedAt'])
      expect((await page.locator(cell).first().boundingBox())?.x).toBeGreaterThan(0)
    await leave()
  })

  it('has letters that no phone enlarges', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, 'about:blank')
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await page.goto(`${room.site.url}/desk/content/articles/${room.site.quiet}`)
    await page.getByRole('combobox', { name: /categories/ }).waitFor()
    await page.locator('.cm-content').waitFor()
    const small = await page
      .locator('input, textarea, select, [contenteditable]')
      .evaluateAll((all) =>
        all
          .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
          .map((field) => field.outerHTML),
      )
    expect(small).toEqual([])
    await leave()
  })

  it('prints the whole of a long text, and no controls beside it', async () => {
    const { page, leave } = await visit(
      room.browser,
      room.site.url,
      `/desk/content/articles/${room.site.quiet}`,
    )
    await page.locator('.cm-content').waitFor()
    const facts = page.getByLabel('Facts')
    await facts.fill(
      JSON.stringify(
        Array.from({ length: 200 }, (_, i) => `line ${i}`),
        null,
        1,
      ),
    )
    const isWhole = () => facts.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)
    expect(await isWhole()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await isWhole()).toBe(true)
    for (const control of ['Menu', 'Save draft', 'Insert a part'])
      expect([control, await page.getByRole('button', { name: control }).count()]).toEqual([control, 0])
    expect(await page.getByRole('link', { name: 'Authors' }).count()).toBe(0)
    await leave()
  })

  it.each([
    [
      'a list',
      '/desk/content/articles',
      'The quiet river',
      ['Select The quiet river', 'Search articles', '+ Filter', 'Next page', 'Drafts'],
    ],
    ['an entry', '/desk/content/articles/7', 'Ada Lovelace', ['Remove Ada Lovelace', 'More actions']],
    ['a role', '/desk/roles?role=1', 'Articles', ['Save the role', '+ New role']],
    ['the settings', '/desk/settings', 'About me', ['Save', 'Save the password']],
  ] as const)('prints %s without what is there to be pressed', async (_, at, words, controls) => {
    const { page, leave } = await visit(room.browser, room.site.url, at)
    const content = page.locator('main').getByText(words).first()
    await content.waitFor()
    const shown = (name: string) =>
      page
        .locator('body')
        .getByLabel(name, { exact: true })
        .or(page.getByText(name, { exact: true }))
    const count = async () =>
      Promise.all(controls.map(async (name) => [name, await shown(name).filter({ visible: true }).count()]))
    await expect.poll(async () => (await count()).filter(([, n]) => n === 0)).toEqual([])
    await page.emulateMedia({ media: 'print' })
    expect(await count()).toEqual(controls.map((name) => [name, 0]))
    expect(await content.isVisible()).toBe(true)
    if (process.env.OCTAVO_SCREENSHOTS)
      await page.screenshot({ path: `${process.env.OCTAVO_SCREENSHOTS}/print-${words}.png`, fullPage: true })
    await leave()
  })
})
