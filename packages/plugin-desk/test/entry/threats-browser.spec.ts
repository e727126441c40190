/** Scripts in every place that a page of the desk shows: values, and names of models, files, folders, roles and people (S-57, S-58). */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { localDisk, upload } from '@octavo/plugin-upload'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, openParts, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const script = (place: string) => `<img src=x onerror="alert('${place}')"><script>alert('${place}')</script>`
const link = 'javascript:alert(1)'

const hostile: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'hostile', pluralName: 'hostiles', displayName: script('the name of a type') },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string' },
    text: { type: 'text' },
    markdown: { type: 'richtext' },
    blocks: { type: 'blocks' },
    address: { type: 'uid' },
    kind: { type: 'enumeration', enum: ['<svg/onload=alert(2)>', 'plain'] },
    json: { type: 'json' },
    friends: { type: 'relation', relation: 'manyToMany', target: 'api::friend.friend' },
    picture: { type: 'media', multiple: false },
    part: { type: 'component', component: 'part.one' },
    zone: { type: 'dynamiczone', components: ['part.one'] },
  },
}

const friend: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'friend', pluralName: 'friends' },
  attributes: { name: { type: 'string' } },
}

const components = [
  {
    uid: 'part.one',
    info: { displayName: script('the name of a component') },
    attributes: { label: { type: 'string' }, markdown: { type: 'richtext' } },
  },
] as const

describe.runIf(executablePath)('The desk against authors', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-threats-'))
  let site: Site
  let browser: Browser
  let id: number

  beforeAll(async () => {
    site = await openSite([hostile, friend], components as never, {
      plugins: [draftPublish(), upload({ provider: localDisk({ folder }) }), editors(), desk()],
    })
    browser = await launch()
    const state = unrestricted('an attacker')
    const { octavo } = site.server
    const { id: related } = await octavo
      .entries('friend', state)
      .create({ name: script('the name of a related entry') } as never)
    const part = { label: script('a part'), markdown: `${script('a part')} [link](${link})` }
    const text = [{ type: 'text', text: script('blocks') }]
    const entry = await octavo.entries('hostile', state).create({
      title: script('a title'),
      text: script('a text'),
      markdown: `${script('Markdown')} [link](${link}) ![picture](${link})`,
      blocks: [
        { type: 'paragraph', children: [...text, { type: 'link', url: '/plain', children: text }] },
        { type: 'paragraph', children: [{ type: 'text', text: 'javascript' }] },
      ],
      address: 'plain',
      kind: '<svg/onload=alert(2)>',
      json: { [script('a key')]: script('JSON'), link },
      friends: [related],
      part,
      zone: [{ __component: 'part.one', ...part }],
      publishedAt: null,
    } as never)
    id = entry.id
    const ada = await site.signIn('ada@example.org')
    for (const [address, body] of [
      ['folders', { name: `<img src=x onerror="alert('a folder')">`, parent: null }],
      ['roles', { name: script('a role'), rights: [] }],
      ['people', { email: 'eve@example.org', firstname: script('a person'), roles: [1] }],
      ['views', { type: 'api::hostile.hostile', name: script('a view'), query: 'view=drafts', shared: true }],
    ] as const)
      expect([address, (await site.send(ada, 'POST', address, body)).status]).toEqual([
        address,
        expect.toSatisfy((status: number) => status < 300),
      ])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('S-57: texts of values and names stay texts on every page', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk')
    const isClean = async () =>
      expect(
        await page
          .locator('#desk script, #desk [onerror], #desk [onload], #desk a[href^="javascript:"]')
          .count(),
      ).toBe(0)
    await page.getByRole('link', { name: "alert('the name of a type')" }).waitFor()
    await page.goto(`${site.url}/desk/content/hostiles`)
    await page.getByRole('link', { name: "alert('a title')" }).waitFor()
    await page.getByRole('button', { name: "alert('a view')" }).waitFor()
    await isClean()
    await page.goto(`${site.url}/desk/content/hostiles/${id}`)
    await page.getByText("alert('the name of a related entry')").first().waitFor()
    await openParts(page)
    await page.getByLabel('Label').first().waitFor()
    await isClean()
    for (const [address, words] of [
      ['/desk/media', "alert('a folder')"],
      ['/desk/roles', "alert('a role')"],
      ['/desk/people', "alert('a person')"],
    ] as const) {
      await page.goto(`${site.url}${address}`)
      await page.getByText(words).first().waitFor()
      await isClean()
    }
    await page.goto(`${site.url}/desk/layouts?type=api::hostile.hostile`)
    await page.getByRole('heading').filter({ hasText: /./ }).first().waitFor()
    await isClean()
    await leave()
  })

  it('S-58: a page of another origin cannot show the desk', async () => {
    const frame = `<iframe src="${site.url}/desk"></iframe>`
    const stranger = createHttpServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(frame),
    ).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const page = await browser.newPage()
    const blocked = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`)
    await blocked
    const [, inner] = page.frames()
    expect((await inner?.locator('#desk').count()) ?? 0).toBe(0)
    await page.context().close()
    await new Promise((resolve) => stranger.close(resolve))
  })

  it('S-13: an uploaded page or drawing runs no script under the origin of the desk', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/media')
    const files = [
      ['page.html', 'text/html', `<!doctype html><script>alert('an upload')</script>`],
      [
        'drawing.svg',
        'image/svg+xml',
        `<svg xmlns="http://www.w3.org/2000/svg" onload="alert('an upload')"><script>alert('an upload')</script></svg>`,
      ],
    ] as const
    for (const [name, mimeType, text] of files) {
      // The dialog of a file has an input of its own.
      await page
        .locator('input[type=file][multiple]')
        .setInputFiles({ name, mimeType, buffer: Buffer.from(text) })
      await page.getByRole('button', { name, exact: true }).click()
      const address = await page
        .getByRole('dialog')
        .getByRole('link', { name: 'Download' })
        .getAttribute('href')
      const { headers } = await fetch(`${site.url}${address}`)
      expect(headers.get('content-security-policy')).toMatch(/sandbox/)
      expect(headers.get('content-disposition')).toMatch(/^attachment/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await leave()
  })
})
