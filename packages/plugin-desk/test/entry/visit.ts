/** Pages of the desk in Chromium, for the tests of this folder. */
import { chromiumOptions, chromiumPath, countDrawnFields } from '@octavo/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../site.ts'

export const executablePath = chromiumPath()

export const launch = (): Promise<Browser> => chromium.launch(chromiumOptions())

export interface Visit {
  readonly page: Page
  /** Errors of the page, violations of its policy, and dialogs of scripts. */
  readonly complaints: readonly string[]
  /** Closes the page, which had nothing to complain about. */
  leave(): Promise<void>
}

/** Signs in and opens an address. */
export async function visit(
  browser: Browser,
  url: string,
  address: string,
  email = 'ada@example.org',
): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.text().startsWith('policy:')) complaints.push(message.text())
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    )
  })
  await page.addInitScript(countDrawnFields)
  await page.goto(`${url}${address}`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  // By its name: an entry may have a field for a password, which is there at once.
  await page.locator('input[name=password]').waitFor({ state: 'detached' })
  return {
    page,
    complaints,
    leave: async () => {
      expect(complaints).toEqual([])
      await context.close()
    },
  }
}

/** Presses a key until the control with this name has the focus. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let i = 0; i < 80; i++) {
    const found = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null
      const labels = [...(element?.labels ?? [])].map((one) => one.textContent).join(' ')
      return element?.getAttribute('aria-label') ?? (labels || (element?.textContent ?? ''))
    })
    if (name.test(found.trim())) return
    await page.keyboard.press(key)
  }
  throw new Error(`the keyboard does not reach ${name}`)
}

/** In the page: timers of a second or more never end. What the page does later by itself is not done, however long a test takes. */
export function withoutLongTimers(): void {
  const plain = window.setTimeout
  const waits = (call: TimerHandler, milliseconds = 0, ...given: unknown[]): number =>
    plain(call, milliseconds < 1_000 ? milliseconds : 2 ** 31 - 1, ...given)
  Object.assign(window, { setTimeout: waits })
}

/** In the page, before it is loaded: no time passes between keys, whose steps of undo would end with a pause. */
export function withoutPauses(): void {
  const now = Date.now()
  Date.now = () => now
}
