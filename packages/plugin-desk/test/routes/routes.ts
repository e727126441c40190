/** The routes of the desk, with what each shows when it is ready, and what opens over it. */
import type { Page } from 'playwright-core'
import type { addresses } from '../../src/pages.ts'

export interface Route {
  /** Where it is, below the address of the server. */
  readonly at: string
  /** Waits until the page shows what it has to show of a server that is filled. */
  readonly ready: (page: Page) => Promise<unknown>
  /** Dialogs and forms that open over the page or in it, by name; each is opened on the page as it is at first. */
  readonly opens?: Readonly<Record<string, (page: Page) => Promise<unknown>>>
}

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** Each address that the server has a page for, and those with another view of it. An address without a row does not compile. */
export const routes: Readonly<Record<keyof typeof addresses, Route>> & Readonly<Record<string, Route>> = {
  '/desk': { at: '/desk', ready: (page) => page.getByRole('heading', { name: /Good to see you/ }).waitFor() },
  '/desk/accept': {
    at: '/desk/accept#a-token',
    ready: (page) => page.getByRole('button', { name: 'Save the password' }).waitFor(),
  },
  '/desk/content/:type': {
    at: '/desk/content/articles',
    ready: (page) => page.locator('tbody tr').first().waitFor(),
    opens: {
      'a filter': async (page) => {
        await press(page, '+ Filter')
        await page.getByLabel('Value').waitFor()
      },
      'the columns': (page) => page.getByText('Columns', { exact: true }).click(),
      'another value for a field': async (page) => {
        await page.locator('tbody input[type=checkbox]').first().check()
        await press(page, 'Change a field')
        await dialog(page).waitFor()
      },
    },
  },
  'a list with a filter': {
    at: '/desk/content/articles?filters[title][$containsi]=Title',
    ready: (page) => page.locator('tbody tr').first().waitFor(),
    opens: { 'a new view': (page) => press(page, 'Save this view') },
  },
  '/desk/content/:type/:id': {
    at: '/desk/content/articles/1',
    ready: async (page) => {
      await page.locator('.chip').first().waitFor()
      await page.locator('.ProseMirror').waitFor()
      await page.locator('.cm-content').waitFor()
    },
    opens: {
      'its parts': async (page) => {
        for (const part of await page.locator('.part-open').all()) await part.click()
        await page.getByRole('textbox', { name: 'Meta title' }).first().waitFor()
      },
      'more actions': (page) => page.locator('.menu summary, .menu button').first().click(),
      'the library': async (page) => {
        await press(page, 'Choose from the library')
        await dialog(page).locator('.media li').first().waitFor()
      },
      'a related entry': async (page) => {
        await press(page, /^Open .* here$/)
        await dialog(page).getByRole('textbox').first().waitFor()
      },
    },
  },
  'a new entry': {
    at: '/desk/content/articles/new',
    ready: (page) => page.getByRole('button', { name: 'Publish' }).waitFor(),
  },
  '/desk/media': {
    at: '/desk/media',
    ready: (page) => page.locator('.media li').first().waitFor(),
    opens: {
      'a file': async (page) => {
        await page.locator('.tile').first().click()
        await dialog(page).getByText('Used in').waitFor()
      },
      'a move': async (page) => {
        await page.locator('.media input[type=checkbox]').first().check()
        await press(page, 'Move')
        await dialog(page).waitFor()
      },
      'a deletion': async (page) => {
        await page.locator('.media input[type=checkbox]').first().check()
        await press(page, 'Delete')
        await dialog(page).getByText('cannot come back').waitFor()
      },
      'a new folder': (page) => press(page, 'New folder'),
    },
  },
  'a folder': {
    at: '/desk/media?folder=1',
    ready: (page) => page.locator('.way b').waitFor(),
  },
  '/desk/layouts': {
    at: '/desk/layouts',
    ready: (page) => page.getByText('Choose a list or a form').waitFor(),
  },
  'a layout': {
    at: '/desk/layouts?type=api::article.article',
    ready: (page) => page.getByRole('heading', { name: 'Form', exact: true }).waitFor(),
    opens: { 'the texts of a field': (page) => page.getByText('Texts and width').first().click() },
  },
  '/desk/locales': {
    at: '/desk/locales',
    ready: (page) =>
      page
        .getByRole('button', { name: /^Make it the default/ })
        .first()
        .waitFor(),
    opens: { 'a new language': (page) => press(page, 'New language') },
  },
  '/desk/pages/:page': { at: '/desk/pages/own', ready: (page) => page.getByText('Shown.').waitFor() },
  '/desk/people': {
    at: '/desk/people',
    ready: (page) => page.getByText('ada@example.org').waitFor(),
    opens: {
      'an invitation': (page) => press(page, 'Invite a person'),
      'a person': async (page) => {
        await page.locator('.people .linked').last().click()
        await dialog(page).waitFor()
      },
    },
  },
  '/desk/roles': { at: '/desk/roles', ready: (page) => page.getByText('Choose a role').waitFor() },
  'a role': {
    at: '/desk/roles?role=2',
    ready: (page) => page.getByRole('checkbox', { name: /^Read: Tags/ }).waitFor(),
    opens: {
      limits: async (page) => {
        await press(page, /Limits of/)
        await dialog(page).waitFor()
      },
    },
  },
  '/desk/settings': {
    at: '/desk/settings',
    ready: (page) => page.getByText('here, now').waitFor(),
  },
  '/desk/tokens': {
    at: '/desk/tokens',
    ready: (page) => page.getByRole('button', { name: /^End the token/ }).waitFor(),
    opens: {
      'a new token': async (page) => {
        await press(page, 'New token')
        await dialog(page).getByLabel('Do only this').check()
        await dialog(page).getByLabel('findOne').first().waitFor()
      },
    },
  },
  '/desk/webhooks': {
    at: '/desk/webhooks',
    ready: (page) => page.locator('main li .linked').first().waitFor(),
    opens: {
      'a new webhook': (page) => press(page, 'New webhook'),
      'a webhook': async (page) => {
        await page.locator('main li .linked').first().click()
        await dialog(page).getByText('Last deliveries').waitFor()
      },
    },
  },
}
