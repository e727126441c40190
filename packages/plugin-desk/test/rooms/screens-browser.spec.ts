/** The screens of the desk as a whole: accessible in each look, in the language of the browser, and safe from what is stored. */
import { unrestricted } from '@octavo/core'
import { chromiumPath } from '@octavo/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { checkAccessible, looks } from '../accessible.ts'
import { openParts } from '../entry/visit.ts'
import { articlePath, leave, openReadingRoom, signIn } from '../reading-room-pages.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(chromiumPath())('The screens of the desk', () => {
  const room = openReadingRoom()

  const checkInEachLook = async (page: Page): Promise<void> => {
    for (const [colorScheme, width] of looks.toReversed()) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await checkAccessible(page)
    }
  }

  it('each screen is accessible and fits in both schemes and widths', async () => {
    const visited = await room.visit('/desk')
    const { page } = visited
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await checkInEachLook(page)
    await signIn(page)
    await page.getByRole('heading', { name: /Good to see you/ }).waitFor()
    await checkInEachLook(page)
    await page.goto(`${room.site.url}/desk/content/articles`)
    await page.getByLabel('Select The quiet river').check()
    await page.getByRole('button', { name: '+ Filter' }).click()
    await checkInEachLook(page)
    await page.goto(`${room.site.url}${articlePath(room.site.quiet)}`)
    await page.getByRole('button', { name: /^Quote It spoke/ }).click()
    await page.getByLabel('Summary').fill('')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('1 thing to correct').waitFor()
    await checkInEachLook(page)
    await page.goto(`${room.site.url}/desk/media`)
    await page.getByText('There are no files yet').waitFor()
    await checkInEachLook(page)
    await page.goto(`${room.site.url}/desk/people`)
    await page.getByText('ada@example.org').waitFor()
    await checkInEachLook(page)
    await page.goto(`${room.site.url}/desk/roles?role=new`)
    await page.getByRole('checkbox', { name: 'Read: Articles' }).waitFor()
    await checkInEachLook(page)
    await page.goto(`${room.site.url}/desk/settings`)
    await page.getByText('here, now').waitFor()
    await checkInEachLook(page)
    await leave(visited)
  })

  it.each([
    ['de-AT', 'Anmelden'],
    ['fr-CA', 'Se connecter'],
    ['es-MX', 'Iniciar sesión'],
    ['ja-JP', 'ログイン'],
  ])(
    'the texts are those of the language of the browser, and no other is loaded: %s',
    async (locale, signIn) => {
      const context = await room.browser.newContext({ locale })
      const page = await context.newPage()
      const loaded: string[] = []
      page.on('request', (request) => {
        const [, code] = /\/assets\/(\w\w)-[^/]*\.js$/.exec(request.url()) ?? []
        if (code) loaded.push(code)
      })
      await page.goto(`${room.site.url}/desk`)
      await page.getByRole('button', { name: signIn }).waitFor()
      const language = locale.slice(0, 2)
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language)
      expect(loaded).toEqual([language])
      await checkAccessible(page)
      await context.close()
    },
  )

  it('S-57: scripts that are stored in any attribute do not run', async () => {
    const script = '<img src=x onerror=alert(1)><script>alert(2)</script>'
    const link = 'javascript:alert(3)'
    const entry = await room.site.octavo.entries('article', unrestricted('an attacker')).create({
      headline: script,
      summary: script,
      body: `${script} [link](${link})`,
      facts: { html: script, link },
      seo: { metaTitle: '<svg onload=alert(4)>' },
      links: [{ label: script, address: link }],
      sections: [{ __component: 'section.quote', text: script }],
      publishedAt: null,
    })
    const visited = await room.signedIn('/desk/content/articles')
    const { page } = visited
    await page.getByText(script).first().waitFor()
    await page.goto(`${room.site.url}${articlePath(entry.id)}`)
    await page.getByLabel('Headline').waitFor()
    await openParts(page)
    await page.getByLabel('Address').waitFor()
    expect(await page.locator('main script, main a[href^="javascript:"], main [onerror]').count()).toBe(0)
    await leave(visited)
  })

  it('S-58: the page has a strict policy and is shown in no frame', async () => {
    const { headers } = await fetch(`${room.site.url}/desk/content/articles/1`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("style-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe/)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect((await fetch(`${room.site.url}/desk/assets/..%2F..%2Fpackage.json`)).status).toBe(404)
    expect((await fetch(`${room.site.url}/desk/assets/files.json`)).status).toBe(404)
  })
})
