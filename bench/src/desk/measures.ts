/** The measurements of the desk. */
import { takeDrawn } from '@octavo/testing'
import type { Page } from 'playwright-core'
import type { Extent } from './extent.ts'
import { type Figure, ofKeys, ofRounds } from './figure.ts'
import { sizes } from './site.ts'
import { type Desk, leave, slowDown, viewport, visit } from './visit.ts'
import { beginWatch, takeKeys, timeOf, workOfKeys } from './watch.ts'

/** Opens an address several times, each time with an empty cache. */
async function opened(desk: Desk, address: string, isShown: () => boolean) {
  const shown: number[] = []
  const painted: number[] = []
  for (let i = 0; i < desk.extent.rounds; i++) {
    const { page, shownAfter, firstPaint } = await visit(desk, address, isShown)
    shown.push(shownAfter)
    painted.push(firstPaint)
    await leave(page)
  }
  return { shown, painted }
}

/** Types texts with a pause between keys, as people do; pauses differ, so that keys come at any time of a frame. */
async function type(page: Page, text: string): Promise<void> {
  for (const [i, letter] of [...text].entries()) {
    await page.keyboard.press(letter === ' ' ? 'Space' : letter)
    await page.waitForTimeout(61 + ((i * 37) % 53))
  }
}

/** The times of keys and the work for them, which are typed anew: a trace makes the page slower. */
interface Typed {
  readonly keys: number[]
  readonly work: number[]
  /** Fields that were drawn anew for a key, in the mean. */
  readonly drawn: number[]
}

/** Types in the field that has the focus. */
async function typeIn(page: Page, { sentence }: Extent, into: Typed): Promise<void> {
  await takeKeys(page)
  await page.evaluate(takeDrawn)
  await type(page, sentence)
  const { fields } = await page.evaluate(takeDrawn)
  into.keys.push(...(await takeKeys(page)))
  into.drawn.push(fields.length / sentence.length)
  into.work.push(...(await workOfKeys(page, () => type(page, sentence))))
}

const ofTyped = (place: string, { keys, work, drawn }: Typed): readonly Figure[] => [
  ofKeys(`from key to paint in ${place}`, keys, { most: 32 }),
  ofKeys(`work of the page for it`, work),
  {
    name: 'fields drawn anew for a key',
    value: Math.max(...drawn),
    unit: 'fields',
    ...{ most: 1, mostSlowed: 1 },
    of: `greatest mean of ${drawn.length}`,
  },
]

/** Types the same keys in a page that has one field only, which shows how long the machine and the browser take without the desk. */
async function plain(desk: Desk): Promise<readonly Figure[]> {
  const {
    browser,
    url,
    extent: { sentence },
  } = desk
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  await page.route('**/plain', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Plain</h1><input>' }),
  )
  await slowDown(page, desk)
  await page.goto(`${url}/plain`)
  await page.evaluate(beginWatch)
  await page.locator('input').focus()
  await type(page, sentence)
  const times = await takeKeys(page)
  const work = await workOfKeys(page, () => type(page, sentence))
  await context.close()
  return [
    ofKeys('for comparison: from key to paint in an empty page', times),
    ofKeys('for comparison: work of an empty page for it', work),
  ]
}

async function doors(desk: Desk): Promise<readonly Figure[]> {
  const door = await opened(
    { ...desk, cookies: [] },
    '/desk',
    () => document.querySelector('input[type=password]') !== null,
  )
  const list = await opened(
    desk,
    '/desk/content/articles',
    () => document.querySelectorAll('tbody tr').length === 25,
  )
  return [
    ofRounds('first paint, at the door', door.painted, { most: 1_000, mostSlowed: 1_000 }),
    ofRounds('the form to sign in', door.shown),
    ofRounds('first paint, signed in', list.painted, { most: 1_000, mostSlowed: 1_000 }),
    ofRounds(`a list of 25 of ${desk.extent.articles.toLocaleString('en')}`, list.shown, {
      mostSlowed: 1_500,
    }),
  ]
}

async function zone(desk: Desk): Promise<readonly Figure[]> {
  const inputs = sizes.parts * sizes.inputsOfPart
  const isShown = () => document.querySelectorAll('.part').length === 200
  const closed = await opened(desk, '/desk/content/pages/1', isShown)
  const open: number[] = []
  const typed: Typed = { keys: [], work: [], drawn: [] }
  for (let i = 0; i < desk.extent.typedRounds; i++) {
    const { page } = await visit(desk, '/desk/content/pages/1', isShown)
    await page.evaluate(beginWatch)
    const button = page.getByRole('button', { name: 'Open all' })
    open.push(
      await timeOf(
        page,
        () => button.click(),
        (count) => document.querySelectorAll('.part-body .in').length === Number(count),
        String(inputs),
      ),
    )
    await page.locator('.part').nth(100).getByLabel('Heading').focus()
    await typeIn(page, desk.extent, typed)
    await leave(page)
  }
  return [
    ofRounds(`an entry with a zone of ${sizes.parts} parts`, closed.shown, { most: 1_500 }),
    ofRounds(`all parts open, ${inputs.toLocaleString('en')} inputs`, open, { most: 1_500 }),
    ...ofTyped('one of them', typed),
  ]
}

/** A long text of blocks. */
async function blocks(desk: Desk): Promise<readonly Figure[]> {
  const isShown = () => (document.querySelector('.writing-text')?.textContent.length ?? 0) >= 50_000
  const { shown } = await opened(desk, '/desk/content/stories/1', isShown)
  const typed: Typed = { keys: [], work: [], drawn: [] }
  for (let i = 0; i < desk.extent.typedRounds; i++) {
    const { page } = await visit(desk, '/desk/content/stories/1', isShown)
    await page.evaluate(beginWatch)
    await page.locator('.writing-text p').nth(50).click()
    await typeIn(page, desk.extent, typed)
    await leave(page)
  }
  const letters = sizes.letters.toLocaleString('en')
  return [
    ofRounds(`an entry with a text of blocks of ${letters} letters`, shown, { most: 1_500 }),
    ...ofTyped('that text', typed),
  ]
}

/** From each key until the list has an entry with what is typed. */
async function pickerTimes(desk: Desk, field: string): Promise<readonly number[]> {
  const { page } = await visit(
    desk,
    '/desk/content/articles/1',
    () => document.querySelectorAll('.picker input').length > 1,
  )
  await page.evaluate(beginWatch)
  const input = page.getByRole('combobox', { name: field })
  const times: number[] = []
  const isFound = (typed: string) =>
    [...document.querySelectorAll('.option:not(.new)')].some((option) =>
      option.textContent?.toLowerCase().includes(typed),
    )
  for (const word of desk.extent.words) {
    await input.fill('')
    for (const [i, letter] of [...word].entries())
      times.push(await timeOf(page, () => page.keyboard.press(letter), isFound, word.slice(0, i + 1)))
  }
  await leave(page)
  return times
}

async function pickers(desk: Desk): Promise<readonly Figure[]> {
  const count = desk.extent.people.toLocaleString('en')
  return [
    ofKeys(
      `picker over ${count} entries with a search index`,
      await pickerTimes(desk, 'Find or create: readers'),
      { most: 200 },
    ),
    ofKeys(`picker over ${count} entries without one`, await pickerTimes(desk, 'Find or create: towns'), {
      most: 200,
    }),
  ]
}

async function media(desk: Desk): Promise<readonly Figure[]> {
  const isShown = () =>
    document.querySelectorAll('.tree-name').length > 100 &&
    document.querySelectorAll('.media li').length === 48
  const library = await opened(desk, '/desk/media', isShown)
  const folders: number[] = []
  const { page } = await visit(desk, '/desk/media', isShown)
  await page.evaluate(beginWatch)
  for (let i = 2; i < 7; i++)
    folders.push(
      await timeOf(
        page,
        () => page.getByRole('button', { name: `Folder ${i}`, exact: true }).click(),
        (name) =>
          document.querySelector('.way b')?.textContent === name &&
          document.querySelector('.media[aria-busy=false] li') !== null,
        `Folder ${i}`,
      ),
    )
  await leave(page)
  const of = `${desk.extent.folders.toLocaleString('en')} folders and ${desk.extent.files.toLocaleString('en')} files`
  return [
    ofRounds(of, library.shown, { most: 1_000 }),
    ofRounds('another folder of them', folders, { most: 1_000 }),
  ]
}

type Measure = (desk: Desk) => Promise<readonly Figure[]>

/** The groups of measurements by name. */
export const measures: Readonly<Record<string, Measure>> = { doors, zone, blocks, pickers, media, plain }
