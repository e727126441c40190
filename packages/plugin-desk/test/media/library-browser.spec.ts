/** The library of files: uploads, folders, texts and pictures, and the choice of a file for an entry. */
import { chromiumPath } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'
import { checkAccessible } from '../accessible.ts'
import { articlePath, leave, openReadingRoom } from '../reading-room-pages.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>'

describe.runIf(chromiumPath())('The library of the desk', () => {
  const room = openReadingRoom()

  it('files are uploaded, described, and chosen for an article', async () => {
    const visited = await room.signedIn('/desk/media')
    const { page } = visited
    const upload = (name: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('Notes on rivers') })
    await upload("<img src=x onerror='alert(5)'>.txt")
    // Signs that the server takes in no name are dashes.
    await page.getByRole('button', { name: "-img src=x onerror='alert(5)'-.txt", exact: true }).waitFor()
    await upload('rivers.txt')
    await page.getByRole('button', { name: 'rivers.txt', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Notes')
    await page.getByLabel('Alternative text').fill('Notes on rivers, typed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Notes', exact: true }).waitFor()
    await page.goto(`${room.site.url}${articlePath(room.site.quiet)}`)
    await page
      .getByRole('group', { name: 'Gallery' })
      .getByRole('button', { name: 'Choose from the library' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Notes' }).click()
    await page.getByRole('button', { name: 'Remove Notes' }).waitFor()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    // The field for the cover takes pictures only.
    await page
      .getByRole('group', { name: 'Cover' })
      .getByRole('button', { name: 'Choose from the library' })
      .click()
    await page.getByRole('dialog').getByText('There are no files yet').waitFor()
    expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0)
    const entry = await room.stored('The quiet river')
    expect(JSON.stringify(entry?.attributes.gallery)).toContain('Notes on rivers, typed')
    await leave(visited)
  })

  it('folders of media are made, filled, moved and deleted, and a file has its texts, its uses and another content', async () => {
    const visited = await room.signedIn('/desk/media')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    const button = (name: string, exact = true) => page.getByRole('button', { name, exact })
    const folder = async (name: string) => {
      await button('New folder').click()
      await page.getByLabel('Name of the folder').fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation', { name: 'Path to this folder' }).getByText(name).waitFor()
    }
    await folder('2026')
    await folder('Rivers')
    const files = ['one.txt', 'two.txt', 'three.txt'].map((name) => ({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(name) },
    }))
    await page.locator('input[type=file]').setInputFiles(files)
    for (const { name } of files) await button(name).waitFor()
    await page.getByLabel('Select one.txt').check()
    await page.getByLabel('Select two.txt').check()
    await button('Move').click()
    await dialog.getByRole('button', { name: '2026', exact: true }).click()
    await checkAccessible(page)
    await dialog.getByRole('button', { name: 'Move to: 2026' }).click()
    await button('one.txt').waitFor({ state: 'detached' })
    await page.goBack()
    await button('one.txt').waitFor()
    await button('three.txt').waitFor({ state: 'detached' })

    const [{ id: used = 0 } = {}] = (await room.site.octavo
      .entries('plugin::upload.file')
      .find({
        filters: { name: 'one.txt' },
      } as never)
      .then(({ data }) => data)) as readonly { id?: number }[]
    await room.site.octavo.entries('article').update(room.site.quiet, { cover: used } as never)
    await button('one.txt').click()
    await dialog.getByRole('link', { name: 'The quiet river' }).waitFor()
    await dialog.getByLabel('Caption').fill('By the river')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Replace' }).click(),
    ])
    await chooser.setFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('another') })
    await dialog.getByText('The file is replaced').waitFor()
    await checkAccessible(page)
    const address = (await dialog.getByRole('link', { name: 'Download' }).getAttribute('href')) ?? ''
    expect(await (await fetch(`${room.site.url}${address}`)).text()).toBe('another')
    // The dialog sends only changed texts, so the texts of another person are kept.
    const library = room.site.octavo.entries('plugin::upload.file')
    await library.update(used, { alternativeText: 'Notes by Ben' } as never)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await library.findOne(used))?.attributes).toMatchObject({
      ...{ name: 'one.txt', caption: 'By the river', alternativeText: 'Notes by Ben' },
    })

    await button('Delete the folder').click()
    await dialog.getByText('3 files will be deleted').waitFor()
    await dialog.getByRole('link', { name: 'The quiet river' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await button('2026').waitFor({ state: 'detached' })
    await leave(visited)
  })

  it('a name that was begun for one folder is not given to the next one, and a new folder is made in it', async () => {
    const visited = await room.signedIn('/desk/media')
    const { page } = visited
    const folder = (name: string) => page.locator('.folders').getByRole('button', { name, exact: true })
    const named = async (name: string) => {
      await page.getByLabel('Name of the folder').fill(name)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.locator('.way b').filter({ hasText: name }).waitFor()
    }
    await page.getByRole('button', { name: 'New folder' }).click()
    await named('Lakes')
    await folder('Files outside of folders').click()
    await page.getByRole('button', { name: 'New folder' }).click()
    await named('Seas')
    await page.getByRole('button', { name: 'Rename the folder' }).click()
    await page.getByLabel('Rename the folder').fill('Oceans')
    await folder('Lakes').click()
    await page.getByRole('button', { name: 'New folder' }).waitFor()
    await folder('Files outside of folders').click()
    await page.getByRole('button', { name: 'New folder' }).click()
    await folder('Lakes').click()
    await named('Ponds')
    await page.locator('.way').getByRole('button', { name: 'Lakes' }).waitFor()
    expect(await folder('Seas').count()).toBe(1)
    await leave(visited)
  })

  it('a picture gets a point that stays in sight, by a click and by numbers', async () => {
    const visited = await room.signedIn('/desk/media')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    const picture = { name: 'point.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) }
    await page.locator('input[type=file]').setInputFiles(picture)
    const open = () => page.getByRole('button', { name: 'point.svg', exact: true }).click()
    await open()
    await dialog.locator('.focal').click({ position: { x: 1, y: 1 } })
    await dialog.getByLabel('From the top, %').fill('80')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await open()
    expect(await dialog.getByLabel('From the top, %').inputValue()).toBe('80')
    expect(Number(await dialog.getByLabel('From the left, %').inputValue())).toBeLessThan(10)
    await checkAccessible(page)
    await leave(visited)
  })

  it('files are marked from the last one by Shift', async () => {
    const visited = await room.signedIn('/desk/media')
    const { page } = visited
    const files = [1, 2, 3].map((n) => ({
      ...{ name: `range-${n}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`${n}`) },
    }))
    await page.locator('input[type=file]').setInputFiles(files)
    const boxes = page.getByRole('checkbox', { name: /^Select range-/ })
    await expect.poll(() => boxes.count()).toBe(3)
    await boxes.first().click()
    await boxes.last().click({ modifiers: ['Shift'] })
    expect(await boxes.nth(1).isChecked()).toBe(true)
    await leave(visited)
  })
})
