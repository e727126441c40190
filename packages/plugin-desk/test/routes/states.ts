/** States of the form of an entry that an action brings about, in any language. Each begins with an entry of its own. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Texts } from '../../src/browser/text/en.ts'
import { withoutLongTimers } from '../entry/visit.ts'

/** Brings a page into the state. @param url The address of the server. */
export type State = (page: Page, url: string) => Promise<unknown>

/** The entry that the server was filled with, once more. @returns the address of its content */
async function another(page: Page, url: string): Promise<string> {
  const content = `${url}/desk/api/content/articles`
  const found = await page.request.get(`${content}/1?publicationState=preview`)
  const { title, text } = (await found.json()).data.attributes
  const data = { title, text, publishedAt: null }
  const made = await page.request.post(content, { headers: { origin: url }, data: { data } })
  expect(made.status()).toBe(200)
  return `content/articles/${(await made.json()).data.id}`
}

const write = (page: Page, words: string) => page.locator('#field-text').fill(words)

/** Opens a new copy of the entry, and writes into it. */
async function begin(page: Page, url: string): Promise<string> {
  const address = await another(page, url)
  await page.goto(`${url}/desk/${address}`)
  await page.locator('.cm-content').waitFor()
  await write(page, 'The river had been loud for so long that everybody could hear it.')
  return `${url}/desk/api/${address}`
}

export const statesIn = (text: Texts): Readonly<Record<string, State>> => {
  const save = (page: Page) => page.getByRole('button', { name: text.saveDraft, exact: true }).click()
  return {
    'something to correct': async (page, url) => {
      await page.goto(`${url}/desk/content/articles/new`)
      // The editors of texts arrive later than the rest.
      await page.locator('.ProseMirror').waitFor()
      await page.locator('.cm-content').waitFor()
      await page.getByRole('button', { name: text.publish, exact: true }).click()
      await page.locator('.note.wrong').getByText(text.toCorrect(1)).waitFor()
    },
    'a conflict': async (page, url) => {
      const address = await begin(page, url)
      const data = { text: 'The river had been still for so long that nobody could hear it.' }
      await page.request.put(address, { headers: { origin: url }, data: { data } })
      await save(page)
      await page.getByText(text.theirsIs, { exact: true }).first().waitFor()
    },
    'a session that has ended': async (page, url) => {
      await begin(page, url)
      const cookies = await page.context().cookies()
      await page.context().clearCookies()
      await save(page)
      await page.getByRole('dialog').getByText(text.signInAgainWhy).waitFor()
      await page.context().addCookies(cookies)
    },
    'a copy of the device': async (page, url) => {
      await begin(page, url)
      await page.reload()
      await page.getByRole('button', { name: text.dismiss }).waitFor()
    },
    'no connection': async (page, url) => {
      await begin(page, url)
      await page.route('**/desk/api/content/**', (route) => route.abort())
      // It is not sent again by itself while the page is looked at.
      await page.evaluate(withoutLongTimers)
      await save(page)
      await page.getByText(text.offlineWaits).first().waitFor()
      await page.unroute('**/desk/api/content/**')
    },
  }
}
