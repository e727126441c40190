/** The desk on a phone: an editor with a finger, who has no keys and does not drag. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSite, type Site } from '../site.ts'
import { overflowing } from '../words.ts'
import { executablePath, launch, signIn } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** A component that has the next one, of five. */
const level = (number: number) =>
  ({
    uid: `deep.level${number}`,
    info: { displayName: `Level ${number}` },
    attributes: {
      name: { type: 'string' },
      on: { type: 'date' },
      ...(number < 5 && {
        next: { type: 'component', component: `deep.level${number + 1}`, repeatable: true },
      }),
    },
  }) as const

/** Runs in the page: the controls that are too small for a finger. A link within a sentence has the height of its line. */
function smallControls(): readonly string[] {
  return [...document.querySelectorAll('a, button, input, select, textarea, summary')].flatMap((element) => {
    const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
    const isExcepted = element.matches('.skip, .brand, .linked, .check input')
    const isSeen = element.checkVisibility({ visibilityProperty: true }) && width > 1
    return isSeen && !isExcepted && (width < 44 || height < 44)
      ? [
          `${element.tagName}.${element.className} ${element.ariaLabel ?? element.textContent}: ${width} by ${height}`,
        ]
      : []
  })
}

describe.runIf(executablePath)('An editor with a phone', () => {
  let site: Site
  let browser: Browser
  let address: string

  beforeAll(async () => {
    site = await openSite(
      [
        {
          kind: 'collectionType',
          info: { singularName: 'page', pluralName: 'pages' },
          options: { draftAndPublish: true },
          attributes: {
            title: { type: 'string' },
            body: { type: 'richtext' },
            friends: { type: 'relation', relation: 'manyToMany', target: 'api::page.page' },
            parts: { type: 'component', component: 'deep.level1', repeatable: true },
          },
        },
      ],
      [1, 2, 3, 4, 5].map(level),
    )
    const ada = await site.signIn('ada@example.org')
    const next = [
      { name: 'two', next: [{ name: 'three', next: [{ name: 'four', next: [{ name: 'five' }] }] }] },
    ]
    const make = (data: object) => site.send(ada, 'POST', 'content/pages', { data })
    const friends = [
      (await make({ title: 'A friend' })).body.data.id,
      (await make({ title: 'Other' })).body.data.id,
    ]
    const parts = [{ name: 'First', next }, { name: 'Second' }]
    address = `/desk/content/pages/${(await make({ title: 'A page', friends, parts })).body.data.id}`
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  async function open(at: string, width = 390): Promise<Page> {
    const viewport = { width, height: 844 }
    const context = await browser.newContext({ locale: 'en-GB', viewport, hasTouch: true, isMobile: true })
    await signIn(context, site.url)
    const page = await context.newPage()
    await page.goto(`${site.url}${at}`)
    return page
  }

  it('puts parts and related entries in order by tapping', async () => {
    const page = await open(address)
    const moves = async (name: RegExp, button: string, list: string, order: readonly RegExp[]) => {
      await page.getByRole('button', { name }).tap()
      await page.getByRole('button', { name: button }).tap()
      await expect
        .poll(async () => (await page.locator(list).allInnerTexts()).map((text, i) => order[i]?.test(text)))
        .toEqual([true, true])
    }
    await moves(/^Move Level 1 2\. /, 'Move Level 1 2 up', '.part-open', [/Second/, /First/])
    await page.getByText('is at place 1 of 2.').waitFor({ state: 'attached' })
    // The button goes along, so that the next step is one more tap.
    await page.getByRole('button', { name: 'Move Level 1 1 down' }).tap()
    await expect
      .poll(async () =>
        (await page.locator('.part-open').allInnerTexts()).map((text) => text.includes('First')),
      )
      .toEqual([true, false])
    await moves(/^Move A friend\. /, 'Move A friend down', '.chip', [/Other/, /A friend/])
    await page.context().close()
  })

  it('has room for a finger at each control of a list and an entry', async () => {
    const page = await open('/desk/content/pages')
    await page.getByRole('link', { name: 'A page' }).waitFor()
    expect(await page.evaluate(smallControls)).toEqual([])
    await page.getByRole('link', { name: 'A page' }).tap()
    await page.getByRole('toolbar').waitFor()
    expect(await page.evaluate(smallControls)).toEqual([])
    await page.getByRole('button', { name: 'Menu' }).tap()
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    expect(await page.evaluate(smallControls)).toEqual([])
    await page.context().close()
  })

  it('sees parts five deep within their frames at 320 pixels', async () => {
    const page = await open(address, 320)
    for (const name of ['Level 1 1', 'Level 2 1', 'Level 3 1', 'Level 4 1', 'Level 5 1'])
      await page.locator('.part-open', { hasText: name }).tap()
    await page.locator('.part .part .part .part .part input').first().waitFor()
    expect(await page.evaluate(overflowing)).toEqual([])
    await page.context().close()
  })
})
