import { chromiumPath } from '@octavo/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { visit } from './entry/visit.ts'
import { openRoom } from './room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** States that are shown by a background or a shadow in other modes, as the markup of an element without the state and with it. */
const states: Readonly<Record<string, readonly [plain: string, inState: string]>> = {
  'the option at which the keyboard is': [
    '<div class="option">A</div>',
    '<div class="option" data-focused>A</div>',
  ],
  'a related entry that takes what is dragged': ['<li class="chip">A</li>', '<li class="chip over">A</li>'],
  'a part that takes what is dragged': ['<div class="part">A</div>', '<div class="part over">A</div>'],
  'a part with a mistake': ['<div class="part">A</div>', '<div class="part wrong">A</div>'],
  'a cell of a role with a mistake': [
    '<table class="matrix"><td>A</td></table>',
    '<table class="matrix"><td class="wrong">A</td></table>',
  ],
  'a room that is open': [
    '<div class="rail"><li><a href="#">A</a></li></div>',
    '<div class="rail"><li><a href="#" aria-current="page">A</a></li></div>',
  ],
  'a view that is shown': [
    '<div class="views"><button>A</button></div>',
    '<div class="views"><button aria-pressed="true">A</button></div>',
  ],
  'a tool that is on': [
    '<button class="tool">A</button>',
    '<button class="tool" aria-pressed="true">A</button>',
  ],
  'a folder that takes what is dragged': [
    '<button class="tree-name">A</button>',
    '<button class="tree-name drop">A</button>',
  ],
  'words that a link is about': [
    '<p class="writing-text"><span>A</span></p>',
    '<p class="writing-text"><span class="chosen">A</span></p>',
  ],
  'words that one side of a conflict has': [
    '<p class="overlap"><span>A</span></p>',
    '<p class="overlap"><mark>A</mark></p>',
  ],
}

/** The lines, and the background by a system colour, of the innermost element of a piece of markup. */
const linesOf = (page: Page, markup: string): Promise<readonly string[]> =>
  page.evaluate((html) => {
    const place = document.body.appendChild(document.createElement('div'))
    place.innerHTML = html
    const inner = [...place.querySelectorAll('*')].at(-1) ?? place
    const style = getComputedStyle(inner)
    const outline = style.outlineStyle === 'none' ? '' : style.outline
    const lines = [outline, style.borderBlockStart, style.textDecorationLine, style.textDecorationThickness]
    place.remove()
    return lines
  }, markup)

describe.runIf(chromiumPath())('The desk with colours that the system forces', () => {
  const room = openRoom()

  it('says by lines what backgrounds and shadows say otherwise', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, 'about:blank')
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(`${room.site.url}/desk/content/articles`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const unseen: string[] = []
    for (const [name, [plain, inState]] of Object.entries(states))
      if (String(await linesOf(page, plain)) === String(await linesOf(page, inState))) unseen.push(name)
    expect(unseen).toEqual([])
    // The line at which a block is dropped is a background itself.
    const [line, paper] = await page.evaluate(() => {
      const element = document.body.appendChild(document.createElement('div'))
      element.className = 'drop-line'
      return [element, document.body].map((one) => getComputedStyle(one).backgroundColor)
    })
    expect(line).not.toBe(paper)
    await leave()
  })

  it('shows at which entry of a list to choose from the keyboard is', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, 'about:blank')
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(`${room.site.url}/desk/content/articles/${room.site.quiet}`)
    await page.getByRole('combobox', { name: /categories/i }).focus()
    await page.keyboard.press('ArrowDown')
    const option = page.locator('.option[data-focused]')
    await option.waitFor()
    expect(await option.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
    await leave()
  })
})
