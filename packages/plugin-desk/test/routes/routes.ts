/** The routes of the desk, with what each shows when it is ready, and what opens over it. */
import type { Page } from 'playwright-core'
import { en, type Texts } from '../../src/browser/text/en.ts'
import type { addresses } from '../../src/pages.ts'
import { openParts } from '../entry/visit.ts'

export interface Route {
  /** Where it is, below the address of the server. */
  readonly at: string
  /** Waits until the page shows what it has to show of a server that is filled. */
  readonly ready: (page: Page) => Promise<unknown>
  /** Dialogs and forms that open over the page or in it, by name; each is opened on the page as it is at first. */
  readonly opens?: Readonly<Record<string, (page: Page) => Promise<unknown>>>
}

const dialog = (page: Page) => page.getByRole('dialog')
const escaped = (words: string): string => words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** The sentence with any name in it. */
const around = (sentence: (name: string) => string): RegExp =>
  new RegExp(sentence('…').split('…').map(escaped).join('.*'))
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

type Routes = Readonly<Record<keyof typeof addresses, Route>> & Readonly<Record<string, Route>>

/** Each address that the server has a page for, and those with another view of it. An address without a row does not compile. */
export const routesIn = (text: Texts): Routes => ({
  '/desk': {
    at: '/desk',
    ready: (page) => page.getByRole('heading', { name: text.homeTitle('Ada') }).waitFor(),
    opens: { 'the menu': (page) => page.getByRole('button', { name: text.menu, exact: true }).click() },
  },
  '/desk/accept': {
    at: '/desk/accept#a-token',
    ready: (page) => page.getByRole('button', { name: text.savePassword }).waitFor(),
  },
  '/desk/content/:type': {
    at: '/desk/content/articles',
    ready: (page) => page.locator('tbody tr').first().waitFor(),
    opens: {
      'a filter': async (page) => {
        await press(page, `+ ${text.addFilter}`)
        await page.getByLabel(text.filterValue).waitFor()
      },
      'the columns': (page) => page.getByText(text.columns, { exact: true }).click(),
      'another value for a field': async (page) => {
        await page.locator('tbody input[type=checkbox]').first().check()
        await press(page, text.changeField)
        await dialog(page).waitFor()
      },
    },
  },
  'a list with a filter': {
    at: '/desk/content/articles?filters[title][$containsi]=Title',
    ready: (page) => page.locator('tbody tr').first().waitFor(),
    opens: { 'a new view': (page) => press(page, text.saveView) },
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
        await openParts(page)
        await page.getByRole('textbox', { name: 'Meta title' }).first().waitFor()
      },
      'more actions': (page) => page.locator('.menu summary, .menu button').first().click(),
      'the library': async (page) => {
        await press(page, text.chooseFile)
        await dialog(page).locator('.media li').first().waitFor()
      },
      'a related entry': async (page) => {
        await press(page, around(text.openRelated))
        await dialog(page).getByRole('textbox').first().waitFor()
      },
    },
  },
  'a new entry': {
    at: '/desk/content/articles/new',
    ready: async (page) => {
      await page.getByRole('button', { name: text.publish }).waitFor()
      await page.locator('.ProseMirror').waitFor()
      await page.locator('.cm-content').waitFor()
    },
  },
  '/desk/media': {
    at: '/desk/media',
    ready: (page) => page.locator('.media li').first().waitFor(),
    opens: {
      'a file': async (page) => {
        await page.locator('.tile').first().click()
        await dialog(page).getByText(text.usedIn).waitFor()
      },
      'a move': async (page) => {
        await page.locator('.media input[type=checkbox]').first().check()
        await press(page, text.move)
        await dialog(page).waitFor()
      },
      'a deletion': async (page) => {
        await page.locator('.media input[type=checkbox]').first().check()
        await press(page, text.remove)
        await dialog(page).getByText(text.filesGo(1, 1)).waitFor()
      },
      'a new folder': (page) => press(page, text.newFolder),
    },
  },
  'a folder': {
    at: '/desk/media?folder=1',
    ready: (page) => page.locator('.way b').waitFor(),
  },
  '/desk/layouts': {
    at: '/desk/layouts',
    ready: (page) => page.getByText(text.chooseLayout).waitFor(),
  },
  'a layout': {
    at: '/desk/layouts?type=api::article.article',
    ready: (page) => page.getByRole('heading', { name: text.formOf, exact: true }).waitFor(),
    opens: { 'the texts of a field': (page) => page.getByText(text.textsAndWidth).first().click() },
  },
  '/desk/locales': {
    at: '/desk/locales',
    ready: (page) => page.getByRole('button', { name: text.makeDefault }).first().waitFor(),
    opens: { 'a new language': (page) => press(page, text.newLocale) },
  },
  '/desk/pages/:page': { at: '/desk/pages/own', ready: (page) => page.getByText('Shown.').waitFor() },
  '/desk/people': {
    at: '/desk/people',
    ready: (page) => page.getByText('ada@example.org').waitFor(),
    opens: {
      'an invitation': (page) => press(page, text.invite),
      'a person': async (page) => {
        await page.locator('.people .linked').last().click()
        await dialog(page).waitFor()
      },
    },
  },
  '/desk/roles': { at: '/desk/roles', ready: (page) => page.getByText(text.chooseRole).waitFor() },
  'a role': {
    at: '/desk/roles?role=2',
    ready: (page) =>
      page.getByRole('checkbox', { name: text.rightName(text.actionNames.read, 'Tags') }).waitFor(),
    opens: {
      limits: async (page) => {
        await press(page, around(text.limitsOf))
        await dialog(page).waitFor()
      },
    },
  },
  '/desk/settings': {
    at: '/desk/settings',
    ready: (page) => page.getByText(text.thisSession).waitFor(),
  },
  '/desk/tokens': {
    at: '/desk/tokens',
    ready: (page) => page.getByRole('button', { name: around(text.endTokenOf) }).waitFor(),
    opens: {
      'a new token': async (page) => {
        await press(page, text.newToken)
        await dialog(page).getByLabel(text.accessNames.list).check()
        await dialog(page).getByLabel('findOne').first().waitFor()
      },
    },
  },
  '/desk/webhooks': {
    at: '/desk/webhooks',
    ready: (page) => page.locator('main li .linked').first().waitFor(),
    opens: {
      'a new webhook': (page) => press(page, text.newWebhook),
      'a webhook': async (page) => {
        await page.locator('main li .linked').first().click()
        await dialog(page).getByText(text.deliveries).waitFor()
      },
    },
  },
})

/** Whether an address is outside of the desk's frame: the page for invitations has no links to others. */
const isAlone = (address: string): boolean => address.startsWith('/desk/accept')

/**
 * Opens a route, and waits until it is ready: in the same document, as a link of the desk does, where there is one. Nothing of the page
 * before is left, as an address without a page is in between. @param url The address of the server.
 */
export async function openRoute(page: Page, url: string, text: Texts, { at, ready }: Route): Promise<void> {
  const go = (to: string) => page.evaluate((address) => history.pushState(null, '', address), to)
  const { pathname } = new URL(page.url())
  if (isAlone(at) || isAlone(pathname) || !pathname.startsWith('/desk')) await page.goto(`${url}${at}`)
  else {
    await go('/desk/nowhere')
    await page.getByText(text.notFound, { exact: true }).waitFor()
    await go(at)
  }
  await ready(page)
}

/** The routes of the desk in English. */
export const routes: Routes = routesIn(en)
