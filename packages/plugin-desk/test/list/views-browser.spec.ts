/** Lists of the desk: their filters and saved views, their layouts, and changes of several entries with their undo. */
import { chromiumPath } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'
import { checkAccessible } from '../accessible.ts'
import { withoutLongTimers } from '../entry/visit.ts'
import { articlePath, leave, openReadingRoom } from '../reading-room-pages.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(chromiumPath())('Lists of the desk', () => {
  const room = openReadingRoom()

  it('lists filter by words, sort, and publish and delete several entries, with undo', async () => {
    const visited = await room.signedIn('/desk/content/articles')
    const { page } = visited
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.getByLabel('Field').selectOption('form')
    await page.getByLabel('Value').selectOption('news')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('button', { name: 'Remove the filter Form is News' }).waitFor()
    await page.getByRole('link', { name: 'Orchard, ember, harbour' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Headline' }).click()
    const first = page.locator('tbody tr').first()
    await first.getByText('A mirror for the market').waitFor()
    await page.getByLabel('Select Ünder pressure').check()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('1 entry published.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 entry published.').waitFor({ state: 'detached' })
    // An entry that is public already keeps its date, and is still public after Undo.
    const dates = async () => [
      (await room.stored('Ünder pressure'))?.attributes.publishedAt,
      (await room.stored('A mirror for the market'))?.attributes.publishedAt,
    ]
    await expect.poll(async () => (await dates())[0]).toBeNull()
    const before = await dates()
    for (const [action, words] of [
      ['Publish', '1 entry published.'],
      ['Unpublish', '1 entry unpublished.'],
    ] as const) {
      await page.getByLabel('Select Ünder pressure').check()
      await page.getByLabel('Select A mirror for the market').check()
      await page.getByRole('button', { name: action, exact: true }).click()
      await page.getByText(words).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(words).waitFor({ state: 'detached' })
      // The sentence goes with the press, and the values come back one after the other.
      await expect.poll(dates).toEqual(before)
    }
    await page.getByLabel('Select Ünder pressure').check()
    // The deletion is carried out after some seconds.
    await page.evaluate(withoutLongTimers)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 entry deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByLabel('Select Ünder pressure').waitFor()
    await leave(visited)
  })

  it('filters join and turn conditions round, and a list is saved as a tab for all', async () => {
    const visited = await room.signedIn('/desk/content/articles')
    const { page } = visited
    const open = () => page.getByRole('button', { name: '+ Filter' }).click()
    const choose = async (field: string, operator: string, value: string) => {
      await page.getByLabel('Field').selectOption(field)
      await page.getByLabel('Condition').selectOption(operator)
      await page.getByLabel(/^Value/).fill(value)
    }
    await open()
    await choose('writtenBy.name', '$in', 'Ada Lovelace\nMarie Curie')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page
      .getByRole('button', { name: /^Change .* Written by › Name is one of “Ada Lovelace”, “Marie Curie”/ })
      .waitFor()
    await open()
    await choose('headline', '$startsWith', 'What')
    await page.getByRole('button', { name: 'Or', exact: true }).click()
    await open()
    await choose('headline', '$containsi', 'MIRROR')
    await page.getByLabel('Not').check()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('button', { name: 'Remove the filter not Headline contains “MIRROR”' }).waitFor()
    const names = page.locator('tbody .ti')
    // Until the answer is there, the list shows the entries of before.
    await page.getByRole('link', { name: 'A mirror for the market' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'What the salt' }).waitFor()
    const before = await names.allTextContents()
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('Name of the view').fill('From two desks')
    await page.getByLabel('For everybody').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'From two desks', pressed: true }).waitFor()
    await checkAccessible(page)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.goto(`${room.site.url}/desk/content/articles`)
    await page.getByRole('button', { name: 'From two desks', pressed: false }).click()
    await page.getByRole('button', { name: /Remove the filter not/ }).waitFor()
    await expect.poll(() => names.allTextContents()).toEqual(before)
    await page.getByRole('button', { name: 'Delete this view' }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('button', { name: 'From two desks' }).waitFor({ state: 'detached' })
    await leave(visited)
  })

  it('lists and forms are as their layouts have them', async () => {
    const visited = await room.signedIn('/desk')
    const { page } = visited
    await page.evaluate(async () => {
      const path = '/desk/api/layouts/api::article.article'
      const layout = await (await fetch(path)).json()
      const place = (name: string, size: number) => ({ name, size })
      const changed = {
        ...layout,
        list: {
          ...layout.list,
          columns: ['words', 'headline', 'writtenBy'],
          pageSize: 3,
          sort: 'headline:asc',
          select: false,
        },
        form: [
          [place('summary', 8), place('words', 4)],
          [place('headline', 6), place('slug', 3)],
          [place('links', 12)],
        ],
        fields: {
          ...layout.fields,
          headline: { label: 'Heading', placeholder: 'In few words' },
          summary: { label: 'Standfirst', description: 'Two sentences at most.' },
          slug: { label: 'Address', readOnly: true },
          words: { label: 'Length', column: 'Words in all' },
        },
      }
      const headers = { 'content-type': 'application/json' }
      await fetch(path, { method: 'PUT', headers, body: JSON.stringify(changed) })
    })
    await page.goto(`${room.site.url}/desk/content/articles`)
    await page.getByRole('columnheader', { name: 'Words in all' }).waitFor()
    const headings = await page.getByRole('columnheader').allTextContents()
    expect(headings).toEqual(['Heading ↑', 'State', 'Words in all', 'Written by', 'Languages'])
    const names = page.locator('tbody .ti')
    await expect.poll(() => names.count()).toBe(3)
    expect((await names.allTextContents()).toSorted()).toEqual(await names.allTextContents())
    await page.goto(`${room.site.url}${articlePath(room.site.quiet)}`)
    await page.getByText('Two sentences at most.').waitFor()
    expect(await page.getByLabel('Heading').getAttribute('placeholder')).toBe('In few words')
    expect(await page.getByLabel('Address', { exact: true }).isEditable()).toBe(false)
    expect(
      await page.locator('.grid > .field').evaluateAll((fields) => fields.map(({ className }) => className)),
    ).toEqual(['field w8 first', 'field w4', 'field w3', 'field w12 first'])
    expect(await page.getByText('Rating').count()).toBe(0)
    await page.evaluate(() => fetch('/desk/api/layouts/api::article.article', { method: 'DELETE' }))
    await leave(visited)
  })

  it('a field of several entries is changed, and gets its former values back', async () => {
    const visited = await room.signedIn('/desk/content/authors')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.getByLabel('Select Marie Curie').check()
    await page.getByLabel('Select Li Wei').check()
    await page.getByRole('button', { name: 'Change a field' }).click()
    await dialog.getByLabel('Value').fill('Li Wei')
    await dialog.getByText('1 of 2 entries will change.').waitFor()
    await checkAccessible(page)
    await dialog.getByRole('button', { name: 'Change them' }).click()
    await page.getByText('1 entry changed.').waitFor()
    await page.getByRole('link', { name: 'Marie Curie' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Marie Curie' }).waitFor()
    await leave(visited)
  })

  it('the layout of a form and a list is changed for all, and made usual again', async () => {
    const visited = await room.signedIn('/desk/layouts?type=api::author.author', { width: 360 })
    const { page } = visited
    await page
      .getByRole('navigation', { name: 'Lists and forms' })
      .getByRole('link', { name: 'Categories' })
      .click()
    await page.getByText('Texts and width').click()
    await page.getByLabel('Label', { exact: true }).fill('Subject')
    // Links ask before they leave what is not saved; the question is answered with no.
    await page
      .getByRole('navigation', { name: 'Lists and forms' })
      .getByRole('link', { name: 'Authors' })
      .click()
    expect(visited.complaints.splice(0)).toEqual([
      'dialog: There are changes that are not saved. Leave without them?',
    ])
    expect(await page.getByLabel('Label', { exact: true }).inputValue()).toBe('Subject')
    // So does the history, whose first entry with this page is that of another list.
    await page.evaluate(() => history.back())
    await expect
      .poll(() => visited.complaints.splice(0))
      .toEqual(['dialog: There are changes that are not saved. Leave without them?'])
    await expect.poll(() => page.url()).toContain('category')
    expect(await page.getByLabel('Label', { exact: true }).inputValue()).toBe('Subject')
    await page.getByLabel('Description below the field').fill('One word.')
    await page.getByLabel('Add a column').selectOption('createdAt')
    await page.getByRole('button', { name: /^Move Created at up$/ }).click()
    await page.getByText(/^Created at is at place \d of \d\.$/).waitFor({ state: 'attached' })
    const columns = page.locator('.ordered').last()
    await columns
      .getByRole('button', { name: /^Leave out|^Hide/ })
      .last()
      .focus()
    await page.keyboard.press('Enter')
    // The control of the row that takes its place.
    await expect
      .poll(() =>
        columns
          .locator('.hide')
          .last()
          .evaluate((button) => button === document.activeElement),
      )
      .toBe(true)
    await page.getByLabel('Entries on a page').fill('10')
    await checkAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.goto(`${room.site.url}/desk/content/categories/1`)
    await page.getByText('One word.').waitFor()
    await page.goto(`${room.site.url}/desk/layouts?type=api::category.category`)
    await page.getByRole('button', { name: 'Back to the usual layout' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.goto(`${room.site.url}/desk/content/categories/1`)
    await page.getByLabel('Name').waitFor()
    expect(await page.getByText('One word.').count()).toBe(0)
    await leave(visited)
  })
})
