/** Actions of a person that change something at the server, by route of the desk. Each begins on the page as it is at first. */
import type { Page } from 'playwright-core'
import { password } from '../site.ts'

export interface Action {
  /** Where it is, below the address of the server. */
  readonly at: string
  /** Fills what the action needs. */
  readonly begin?: (page: Page) => Promise<unknown>
  /** Asks for the action, which may be done again after a failure. */
  readonly act: (page: Page) => Promise<unknown>
  /** Waits until it is done. */
  readonly done: (page: Page) => Promise<unknown>
}

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click()
const isGone = (page: Page) => dialog(page).waitFor({ state: 'detached' })
/** A button for what does not come back asks once more. */
const pressTwice = async (page: Page, name: string | RegExp) => {
  await press(page, name)
  await press(page, 'Delete for good')
}
const told = (words: string | RegExp) => (page: Page) =>
  page.getByRole('status').filter({ hasText: words }).first().waitFor()

const openLast = (page: Page) => page.locator('main li .linked').last().click()

export const actions: Readonly<Record<string, Action>> = {
  'a view is saved': {
    at: '/desk/content/articles?filters[title][$containsi]=Title',
    begin: async (page) => {
      await page.getByRole('button', { name: 'Save this view' }).click()
      await page.getByLabel('Name of the view').fill('With a title')
    },
    act: (page) => press(page, 'Save'),
    done: (page) => page.getByRole('button', { name: 'With a title', pressed: true }).waitFor(),
  },
  'a view is deleted': {
    at: '/desk/content/articles?filters[title][$containsi]=Title',
    begin: (page) => page.getByRole('button', { name: 'With a title', pressed: true }).waitFor(),
    act: (page) => pressTwice(page, 'Delete this view'),
    done: (page) => page.getByRole('button', { name: 'With a title' }).waitFor({ state: 'detached' }),
  },
  'entries are published': {
    at: '/desk/content/articles',
    begin: (page) => page.locator('tbody input[type=checkbox]').first().check(),
    act: async (page) => {
      await page.locator('tbody input[type=checkbox]').first().check()
      await press(page, 'Publish')
    },
    done: told('1 entry published.'),
  },
  'a new entry is deleted': {
    at: '/desk/content/tags/1',
    begin: async (page) => {
      await page.locator('.menu summary, .menu button').first().click()
      await press(page, 'Delete')
      await dialog(page).waitFor()
    },
    act: (page) => press(page, 'Delete for good'),
    done: (page) => page.waitForURL(/\/content\/tags$/),
  },
  'a folder is made': {
    at: '/desk/media',
    begin: async (page) => {
      await press(page, 'New folder')
      await page.getByLabel('Name of the folder').fill('Drafts')
    },
    act: (page) => press(page, 'Save'),
    done: (page) => page.locator('.way b').filter({ hasText: 'Drafts' }).waitFor(),
  },
  'a folder is deleted': {
    at: '/desk/media?folder=3',
    begin: async (page) => {
      await press(page, 'Delete the folder')
      await dialog(page).getByText('cannot be undone').waitFor()
    },
    act: (page) => press(page, 'Delete for good'),
    done: isGone,
  },
  'files are moved': {
    at: '/desk/media',
    begin: async (page) => {
      await page.locator('.media input[type=checkbox]').first().check()
      await press(page, 'Move')
      await dialog(page).locator('.tree button').last().click()
    },
    act: (page) => press(page, /^Move to/),
    done: isGone,
  },
  'the texts of a file are changed': {
    at: '/desk/media?folder=1',
    begin: async (page) => {
      await page.locator('.tile').first().click()
      await page.getByLabel('Caption').fill('One pixel')
    },
    act: (page) => press(page, 'Save'),
    done: isGone,
  },
  'a layout is changed': {
    at: '/desk/layouts?type=api::tag.tag',
    begin: (page) => page.getByLabel('Entries on a page').fill('30'),
    act: (page) => press(page, 'Save'),
    done: told('Saved'),
  },
  'a layout is as it was': {
    at: '/desk/layouts?type=api::tag.tag',
    act: (page) => press(page, 'Back to the usual layout'),
    done: told('Saved'),
  },
  'a language is added': {
    at: '/desk/locales',
    begin: async (page) => {
      await press(page, 'New language')
      await page.getByLabel('Code').fill('es')
    },
    act: (page) => press(page, 'Add the language'),
    done: isGone,
  },
  'a language is deleted': {
    at: '/desk/locales',
    act: (page) => pressTwice(page, /^Delete Spanish.*es/),
    done: (page) => page.getByText('es', { exact: true }).waitFor({ state: 'detached' }),
  },
  'a person is invited': {
    at: '/desk/people',
    begin: async (page) => {
      await press(page, 'Invite a person')
      await dialog(page).getByLabel('Email address').fill('bea@example.org')
    },
    act: (page) => press(page, 'Make the invitation'),
    done: (page) => page.getByLabel('Link to set a password').waitFor(),
  },
  'a person is deactivated': {
    at: '/desk/people',
    begin: openLast,
    act: (page) => press(page, 'Deactivate'),
    done: (page) => dialog(page).getByRole('button', { name: 'Activate' }).waitFor(),
  },
  'a role is changed': {
    at: '/desk/roles?role=2',
    begin: (page) => page.getByLabel('Description').fill('Of another day'),
    act: (page) => press(page, 'Save the role'),
    done: told('Saved'),
  },
  'the own name is changed': {
    at: '/desk/settings',
    begin: (page) => page.getByLabel('Last name').fill('Lovelace'),
    act: (page) => press(page, 'Save'),
    done: told('Saved'),
  },
  'the own password is changed': {
    at: '/desk/settings',
    act: async (page) => {
      await page.getByLabel('Current password').first().fill(password)
      await page.getByLabel('New password').fill(password)
      await press(page, 'Save the password')
    },
    done: told('All other sessions have ended'),
  },
  'a token is made': {
    at: '/desk/tokens',
    begin: async (page) => {
      await press(page, 'New token')
      await page.getByLabel('What it is for').fill('A program')
    },
    act: (page) => press(page, 'Make the token'),
    done: (page) => page.getByLabel(/^The token\. It is shown only now/).waitFor(),
  },
  'a token ends': {
    at: '/desk/tokens',
    act: (page) => pressTwice(page, 'End the token A program'),
    done: (page) => page.getByText('A program').waitFor({ state: 'detached' }),
  },
  'a webhook is made': {
    at: '/desk/webhooks',
    begin: async (page) => {
      await press(page, 'New webhook')
      await page.getByLabel('Name of the webhook').fill('Own')
      await page.getByLabel('Address').fill('https://example.org/own')
    },
    act: (page) => press(page, 'Make the webhook'),
    done: (page) => page.getByLabel(/^The secret of its signatures/).waitFor(),
  },
  'a webhook is changed': {
    at: '/desk/webhooks',
    begin: openLast,
    act: (page) => press(page, 'Save'),
    done: isGone,
  },
  'a webhook is deleted': {
    at: '/desk/webhooks',
    begin: openLast,
    act: (page) => pressTwice(page, 'Delete the webhook'),
    done: isGone,
  },
}
