/** Times within a page, from an event until the frame with its outcome is drawn. */
import type { Page } from 'playwright-core'

interface Watch {
  /** Milliseconds of each key. */
  readonly keys: number[]
  /** Sets the condition that the next event waits for. */
  until(isShown: () => boolean): void
  /** Milliseconds from the next event until the condition holds. */
  shown: Promise<number> | undefined
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
  let resolve: (after: number) => void
  const watch: Watch = {
    keys: [],
    shown: undefined,
    until: (isShown) => {
      condition = isShown
      watch.shown = new Promise((take) => {
        resolve = take
      })
    },
  }
  const begin = ({ timeStamp }: Event) => {
    const wanted = condition
    condition = undefined
    const look = () => {
      if (!wanted) return
      const isNow = wanted()
      afterFrame(() => {
        if (isNow) resolve(performance.now() - timeStamp)
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
  return Number(await page.evaluate(() => (globalThis as unknown as { watch: Watch }).watch.shown))
}

/** An event of a trace, as far as it is read. Times in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly args: { readonly data?: { readonly type?: string } }
}

const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline']

/**
 * Milliseconds for which the page works for each key that is typed, by the trace of the browser: the tasks of its main thread from the
 * key until the frame that shows it, without the time in which it waits for that frame.
 */
export async function workOfKeys(page: Page, type: () => Promise<void>): Promise<readonly number[]> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: categories },
  })
  await type()
  // The frame of the last key.
  await page.waitForTimeout(300)
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await ended
  await session.detach()
  return workIn(events)
}

function workIn(events: readonly TraceEvent[]): readonly number[] {
  const ofType = (type: string) =>
    events.filter(({ name, args }) => name === 'EventDispatch' && args.data?.type === type)
  const [{ pid, tid } = { pid: 0, tid: 0 }] = ofType('keydown')
  const here = events
    .filter((event) => event.pid === pid && event.tid === tid)
    .toSorted((one, other) => one.ts - other.ts)
  const end = ({ ts, dur = 0 }: TraceEvent) => ts + dur
  const tasks = here.filter(({ name, ph }) => name === 'RunTask' && ph === 'X')
  const frames = here.filter(({ name }) => name === 'Commit')
  const inputs = ofType('input').toSorted((one, other) => one.ts - other.ts)
  return ofType('keydown')
    .toSorted((one, other) => one.ts - other.ts)
    .flatMap((key) => {
      const input = inputs.find(({ ts }) => ts >= key.ts)
      const frame = input && frames.find(({ ts }) => ts >= end(input))
      if (!frame) return []
      // The task of the key has begun before its event.
      const work = tasks.filter((task) => end(task) > key.ts && task.ts < frame.ts)
      return work.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1_000
    })
}

/** The times of the keys since the last call. */
export const takeKeys = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => (globalThis as unknown as { watch: Watch }).watch.keys.splice(0))
