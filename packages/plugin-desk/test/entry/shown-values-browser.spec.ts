/** The page says of a value what is stored: closed parts are not called empty, and a missing choice is not called no. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const part = (name: string, attributes: object) =>
  ({ uid: `part.${name}`, info: { displayName: name }, attributes }) as const

describe.runIf(executablePath)('What an entry shows of its values', () => {
  let site: Site
  let browser: Browser
  let ada: string

  beforeAll(async () => {
    const kinds = [
      part('step', { label: { type: 'string' } }),
      part('steps', { steps: { type: 'component', component: 'part.step', repeatable: true } }),
      part('figure', { amount: { type: 'integer' }, day: { type: 'date' } }),
      part('text', { text: { type: 'blocks' } }),
      part('flag', { shown: { type: 'boolean' } }),
      part('secret', { word: { type: 'password' } }),
    ]
    site = await openSite(
      [
        {
          kind: 'collectionType',
          info: { singularName: 'page', pluralName: 'pages' },
          options: { draftAndPublish: true },
          attributes: {
            title: { type: 'string' },
            visible: { type: 'boolean', required: true },
            featured: { type: 'boolean' },
            parts: { type: 'dynamiczone', components: kinds.map(({ uid }) => uid) },
          },
        },
      ],
      kinds as never,
    )
    ada = await site.signIn('ada@example.org')
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const make = async (data: object): Promise<string> => {
    const { body } = await site.send(ada, 'POST', 'content/pages', { data: { publishedAt: null, ...data } })
    return `/desk/content/pages/${body.data.id}`
  }

  it('closed parts show their first value, of whatever type it is', async () => {
    const text = [{ type: 'paragraph', children: [{ type: 'text', text: 'It rained.' }] }]
    const address = await make({
      title: 'Parts',
      parts: [
        { __component: 'part.steps', steps: [{ label: 'Listen' }, { label: 'Write' }] },
        { __component: 'part.steps', steps: [{}, {}] },
        { __component: 'part.figure', amount: 42 },
        { __component: 'part.figure', day: '2020-03-14' },
        { __component: 'part.text', text },
        { __component: 'part.flag', shown: false },
        { __component: 'part.flag' },
        { __component: 'part.secret' },
      ],
    })
    const { page, leave } = await visit(browser, site.url, address)
    await page.locator('.part-open').first().waitFor()
    expect(await page.locator('.part-open .sum').allInnerTexts()).toEqual([
      'Listen +1',
      '2 parts',
      'Amount: 42',
      'Day: 14 March 2020',
      'It rained.',
      'Shown: No',
      'empty',
      'empty',
    ])
    // A password stays hidden when its part is closed.
    const secret = page.locator('.part', { hasText: 'secret' })
    await secret.locator('.part-open').press('Enter')
    await secret.getByLabel('Word').fill('never shown')
    await secret.locator('.part-open').press('Enter')
    expect(await secret.locator('.sum').textContent()).toBe('empty')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await leave()
  })

  it('a choice that is missing is shown as such, and no is as near as yes', async () => {
    const address = await make({ title: 'Choices' })
    const { page, leave } = await visit(browser, site.url, address)
    const visible = page.getByLabel('Visible')
    const featured = page.getByRole('checkbox', { name: 'Featured' })
    await featured.waitFor()
    expect(await visible.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text)).toBe(
      'Not chosen',
    )
    expect(await featured.evaluate((one: HTMLInputElement) => one.indeterminate)).toBe(true)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Visible must be defined.').waitFor()
    await visible.selectOption('No')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('button', { name: 'Unpublish' }).waitFor()
    await page.reload()
    await featured.waitFor()
    // A value that is there has a box.
    expect(await page.getByRole('checkbox', { name: /Visible/ }).isChecked()).toBe(false)
    const stored = await site.send(ada, 'GET', address.replace('/desk/', ''))
    expect(stored.body.data.attributes).toMatchObject({ visible: false, featured: null })
    await leave()
  })
})
