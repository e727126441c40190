/** The page of a report in Chromium. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromiumOptions, chromiumPath, runs } from '@octavo/testing'
import { violationsOf } from '@octavo/testing/violations'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { htmlReport, replay } from '../src/index.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const executablePath = chromiumPath()
const hostile = '"><script>document.title = "run"</script>'

/** A server whose answers differ from those of another one: an error, a list of other entries, and a long value. */
async function serve(isNew: boolean): Promise<Server> {
  const server = createServer((request, response) => {
    const isBroken = isNew && request.url?.startsWith('/api/broken')
    const ids = isNew ? [1, 2, 4] : [1, 2, 3]
    const title = request.url?.startsWith('/api/long') ? 'x'.repeat(300) + String(isNew) : hostile
    const data = ids.map((id) => ({ id, attributes: { title } }))
    const error = {
      data: null,
      error: { status: 500, name: 'InternalServerError', message: hostile, details: {} },
    }
    response.writeHead(isBroken ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isBroken ? error : { data, meta: {} }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port

describe.runIf(executablePath)('The page of a report in Chromium', () => {
  let folder: string
  let browser: Browser
  let address: string
  const servers: Server[] = []

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'octavo-report-'))
    servers.push(await serve(false), await serve(true))
    const [old, now] = servers as [Server, Server]
    const log = path.join(folder, 'log')
    const requests = [
      'broken',
      'list?sort=id',
      `long?filters[name][$contains]=${'y'.repeat(200)}`,
      `a?b=${hostile}`,
    ]
    await writeFile(log, requests.map((request) => `/api/${request}`).join('\n'))
    const file = path.join(folder, 'report.html')
    await writeFile(file, htmlReport(await replay({ log, old: urlOf(old), new: urlOf(now) })))
    address = pathToFileURL(file).href
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser?.close()
    for (const server of servers) server.close()
    await rm(folder, { recursive: true })
  })

  async function open(colorScheme: 'light' | 'dark', width: number) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    const page = await context.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(address)
    return { page, requests, close: () => context.close() }
  }

  // The first two have both colours and both widths.
  const looks = [
    ['light', 1280],
    ['dark', 360],
    ['dark', 1280],
    ['light', 360],
  ] as const
  it.each(looks.slice(0, runs(2, 4)))(
    '%s, %d pixels wide: nothing is cut off, requested or hard to read',
    async (scheme, width) => {
      const { page, requests, close } = await open(scheme, width)
      expect(requests).toEqual([address])
      expect(await page.title()).toContain('Replay')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await violationsOf(page)).toEqual([])
      // Old and new are beside each other, and below each other on a narrow screen.
      const sides = page.locator('.sides').first()
      const [left, right] = [
        await sides.locator('.old').boundingBox(),
        await sides.locator('.new').boundingBox(),
      ]
      expect([left?.y === right?.y, left?.x === right?.x]).toEqual(
        width > 640 ? [true, false] : [false, true],
      )
      await close()
    },
  )

  it('leads from each cause to its differences, the broken ones first', async () => {
    const { page, close } = await open('light', 1280)
    const links = page.locator('nav a')
    expect(await links.count()).toBeGreaterThan(1)
    for (const link of await links.all()) {
      await link.click()
      const target = page.locator(`[id="${decodeURIComponent(new URL(page.url()).hash.slice(1))}"]`)
      await expect
        .poll(() => target.evaluate((node) => node.getBoundingClientRect().top < innerHeight))
        .toBe(true)
      expect(await target.locator('h3').textContent()).toBe(await link.textContent())
    }
    const [first] = await page.locator('main > section').all()
    expect(await first?.getAttribute('class')).toBe('broken')
    await close()
  })

  it('shows values that look like markup as text', async () => {
    const { page, close } = await open('light', 1280)
    expect(await page.locator('script').count()).toBe(0)
    expect(await page.textContent('main')).toContain('<script>')
    await close()
  })
})
