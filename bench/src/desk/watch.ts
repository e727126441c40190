/** Times within a page, from an event until the frame with its outcome is drawn. */
import type { Page } from 'playwright-core'

interface Watch {
  /** Milliseconds of each key. */
  readonly keys: number[]
  /** Sets the condition that the next event waits for. */
  until(isShown: () => boolean): void
  /** Milliseconds from the last event until the condition held; `undefined` while it does not. */
  shown: number | undefined
}

/** In the page: begins to measure. */
export function beginWatch(): void {
  const afterFrame = (call: () => void) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = call
      port2.postMessage(null)
    })
  let condition: (() => boolean) | undefined
  const watch: Watch = {
    keys: [],
    shown: undefined,
    until: (isShown) => {
      watch.shown = undefined
      condition = isShown
    },
  }
  const begin = ({ timeStamp }: Event) => {
    const wanted = condition
    condition = undefined
    const look = () => {
      if (!wanted) return
      const isNow = wanted()
      afterFrame(() => {
        if (isNow) watch.shown = performance.now() - timeStamp
        else look()
      })
    }
    requestAnimationFrame(look)
  }
  const key = ({ timeStamp }: Event) => afterFrame(() => void watch.keys.push(performance.now() - timeStamp))
  document.addEventListener('keydown', key, { capture: true })
  document.addEventListener('keydown', begin, { capture: true })
  document.addEventListener('mousedown', begin, { capture: true })
  Object.assign(globalThis, { watch })
}

/** Milliseconds from the first event of an action until the condition holds in the page. */
export async function timeOf(
  page: Page,
  act: () => Promise<void>,
  isShown: (given: string) => boolean,
  given = '',
): Promise<number> {
  // As text: a function cannot be passed as an argument, and the policy of the pages lets none be made of a text.
  await page.evaluate(`watch.until(() => (${isShown})(${JSON.stringify(given)}))`)
  await act()
  const handle = await page.waitForFunction(() => (globalThis as unknown as { watch: Watch }).watch.shown)
  return Number(await handle.jsonValue())
}

/** The times of the keys since the last call. */
export const takeKeys = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => (globalThis as unknown as { watch: Watch }).watch.keys.splice(0))
