/** Editors of texts in Chromium: what is written by keyboard arrives at the API, and nothing foreign enters the page. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, sql, unrestricted } from '@octavo/core'
import { desk } from '@octavo/plugin-desk'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { localDisk, upload } from '@octavo/plugin-upload'
import { chromiumOptions, chromiumPath } from '@octavo/testing'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkAccessible, looks } from './accessible.ts'
import { signIn, withoutPauses } from './entry/visit.ts'
import { openSite, type Site } from './site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const executablePath = chromiumPath()

const page: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string', required: true },
    body: { type: 'blocks' },
    text: { type: 'richtext' },
    slug: { type: 'uid' },
    facts: { type: 'json' },
    opens: { type: 'datetime' },
  },
}

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const texts = (...lines: readonly string[]) =>
  lines.map((text) => ({ type: 'paragraph', children: [{ type: 'text', text }] }))

/** Pastes a picture as the clipboard of a system has it. @param words Its text. Default: none. */
const pastePicture = (place: Locator, name: string, words = ''): Promise<void> =>
  place.evaluate(
    (element, [base64, name, words]) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([bytes], name, { type: 'image/png' }))
      if (words !== '') data.setData('text/plain', words)
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    },
    [onePixel, name, words] as const,
  )

describe.runIf(executablePath)('Texts in Chromium', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-texts-'))
  let site: Site
  let browser: Browser

  beforeAll(async () => {
    const plugins = [draftPublish(), upload({ provider: localDisk({ folder }) }), editors(), desk()]
    site = await openSite([page], [], { plugins })
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const pages = () => site.server.octavo.entries('page', unrestricted('fills and reads the tests'))
  const make = async (body: unknown, text: string | null = null): Promise<number> =>
    (await pages().create({ title: 'A page', publishedAt: null, body, text } as never)).id
  const stored = async (id: number): Promise<Record<string, unknown>> => {
    const query = { filters: { id: { $eq: id } }, publicationState: 'preview' }
    const { data } = await pages().find(query as never)
    return (data[0] as unknown as { attributes: Record<string, unknown> }).attributes
  }

  interface Visit {
    readonly page: Page
    /** Errors and warnings of the console, dialogs, and violations of the policy. */
    readonly complaints: string[]
  }

  async function open(
    id: number | 'new',
    look: { readonly colorScheme?: 'light' | 'dark'; readonly width?: number } = {},
    prepare?: (page: Page) => Promise<unknown>,
  ): Promise<Visit> {
    const { colorScheme = 'light', width = 1280 } = look
    const context = await browser.newContext({
      ...{ colorScheme, locale: 'en-GB', viewport: { width, height: 900 } },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      const text = message.text()
      // The first request of a visitor is refused with 401; Chromium reports it.
      if (['error', 'warning'].includes(message.type()) && !text.includes('401')) complaints.push(text)
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== site.url) complaints.push(`stranger: ${request.url()}`)
    })
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      )
    })
    await signIn(context, site.url)
    await prepare?.(page)
    await page.goto(`${site.url}/desk/content/pages/${id}`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    return { page, complaints }
  }

  async function leave({ page, complaints }: Visit): Promise<void> {
    expect(complaints).toEqual([])
    await page.context().close()
  }

  const save = async (page: Page): Promise<void> => {
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Saved' }).waitFor()
  }

  const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }

  /** Presses a key that moves the selection, and waits until the page has heard of it: browsers tell a moment later. */
  const select = async (page: Page, key: string): Promise<void> => {
    const heard = await page.evaluateHandle(() => ({
      event: new Promise((resolve) =>
        document.addEventListener('selectionchange', () => requestAnimationFrame(resolve), { once: true }),
      ),
    }))
    await page.keyboard.press(key)
    await heard.evaluate(({ event }) => event)
  }

  /** Puts HTML where a paste finds it, as another program does. */
  const paste = (text: Locator, html: string) =>
    text.evaluate((element, html) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', html)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, html)

  describe('of blocks', () => {
    const body = (page: Page) => page.getByRole('textbox', { name: 'Body' })

    it('are written and formatted by keyboard, and read by the API', async () => {
      const id = await make(null)
      const visit = await open(id)
      const { page } = visit
      await body(page).focus()
      await press(page, 'Control+Alt+2')
      await page.keyboard.type('The quiet river')
      await press(page, 'Enter')
      await page.keyboard.type('It ')
      await press(page, 'Control+b')
      await page.keyboard.type('spoke')
      await press(page, 'Control+b')
      await page.keyboard.type('.')
      // The tools are one stop before the text, and the arrow keys move between them.
      await press(page, 'Shift+Tab')
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe('Kind of paragraph')
      await press(page, 'ArrowRight', 'ArrowRight', 'End', 'Home', 'Tab')
      await press(page, 'Enter', 'Control+Shift+8')
      await page.keyboard.type('One')
      await press(page, 'Enter')
      await page.keyboard.type('Two')
      await press(page, 'Control+]', 'Enter', 'Enter', 'Enter')
      await page.keyboard.type('Read on')
      await select(page, 'Shift+Home')
      await press(page, 'Control+k')
      await page.getByLabel('Address of the link').waitFor()
      await page.keyboard.type('nowhere')
      await press(page, 'Enter')
      await page.getByRole('alert').getByText('Write the address').waitFor()
      await page.getByLabel('Address of the link').fill('example.org/river')
      await press(page, 'Enter')
      await save(page)
      const text = (text: string, more = {}) => ({ type: 'text', text, ...more })
      const item = (words: string) => ({ type: 'list-item', children: [text(words)] })
      const inner = { type: 'list', format: 'unordered', indentLevel: 1, children: [item('Two')] }
      const link = { type: 'link', url: 'https://example.org/river', children: [text('Read on')] }
      expect((await stored(id)).body).toEqual([
        { type: 'heading', level: 2, children: [text('The quiet river')] },
        { type: 'paragraph', children: [text('It '), text('spoke', { bold: true }), text('.')] },
        { type: 'list', format: 'unordered', children: [item('One'), inner] },
        { type: 'paragraph', children: [text(''), link, text('')] },
      ])
      await leave(visit)
    })

    it('take back what was written with the history of the form, and changes of others', async () => {
      const id = await make(texts('One'))
      const visit = await open(id, {}, (page) => page.addInitScript(withoutPauses))
      const { page } = visit
      await body(page).click()
      await press(page, 'Control+End')
      await page.keyboard.type(' and two')
      await press(page, 'Control+a', 'Control+i')
      await press(page, 'Control+z')
      await expect.poll(() => body(page).locator('em').count()).toBe(0)
      expect(await body(page).textContent()).toBe('One and two')
      await press(page, 'Control+z')
      await expect.poll(() => body(page).textContent()).toBe('One')
      await press(page, 'Control+y')
      await expect.poll(() => body(page).textContent()).toBe('One and two')
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => body(page).textContent()).toBe('One')
      await page.getByRole('textbox', { name: 'Title' }).fill('Another title')
      await pages().update(id, { body: texts('Theirs') } as never)
      await page.getByRole('button', { name: 'Save draft' }).click()
      await expect.poll(() => body(page).textContent()).toBe('Theirs')
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      expect(await stored(id)).toMatchObject({ title: 'Another title', body: texts('Theirs') })
      // The reply that somebody else was faster is no error of the page.
      await leave({ page, complaints: visit.complaints.filter((text) => !text.includes('412')) })
    })

    it('keep what the editor does not know, and send nothing of a text that nobody changed', async () => {
      const strange = [
        {
          type: 'paragraph',
          id: 'p1',
          align: 'end',
          children: [{ type: 'text', text: 'One', color: 'red' }],
        },
        {
          type: 'list',
          format: 'ordered',
          depth: 3,
          children: [{ type: 'list-item', children: texts('')[0]?.children }],
        },
        { type: 'table', rows: [['a', { b: 1.5 }]] },
        { type: 'quote', children: [{ type: 'text', text: 'Two' }] },
      ]
      const id = await make(null)
      // The API takes no table.
      const given = sql`update "pages" set "body" = ${JSON.stringify(strange)}::jsonb where "id" = ${id}`
      await site.server.octavo.store.run(given)
      const visit = await open(id)
      const { page } = visit
      await body(page).getByText('Two').waitFor()
      const sent: unknown[] = []
      page.on('request', (request) => {
        if (request.method() === 'PUT') sent.push(request.postDataJSON())
      })
      await page.getByRole('textbox', { name: 'Title' }).fill('Changed')
      await save(page)
      expect(sent).toEqual([{ data: { title: 'Changed' } }])
      await body(page).getByText('Two').click()
      await press(page, 'End')
      await page.keyboard.type('!')
      await save(page)
      const [paragraph, list, table] = strange
      const quote = { type: 'quote', children: [{ type: 'text', text: 'Two!' }] }
      expect((await stored(id)).body).toEqual([paragraph, list, table, quote])
      await leave(visit)
    })

    it('take the words and the marks of pasted documents, and no script, style or picture', async () => {
      const id = await make(null)
      const visit = await open(id)
      const { page } = visit
      const word = (level: number, mark: string, text: string) =>
        `<p class=MsoListParagraph style='margin-left:36.0pt;mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${mark}<span>&nbsp; </span></span>${text}</p>`
      await paste(
        body(page),
        `<meta charset=utf-8><style>p { color: red }</style><b style="font-weight:normal">
        <h2 style="font-weight:700">A\nheading</h2>
        <p class=MsoNormal style='color:red'>Plain <span style="font-weight:700;font-style:italic">strong</span>\r
        words<br>and a line</p>
        ${word(1, '1.', 'First')}\n${word(2, '·', 'Inner')}\n${word(1, '2.', 'Second')}
        <img src=x onerror="alert(1)"><script>alert(2)</script><iframe srcdoc="<script>alert(3)</script>"></iframe>
        <p><a href="javascript:alert(4)" onclick="alert(5)">no link</a> <a href="/yes">link</a></p></b>
        <figure data-octavo="image" data-json='{"type":"image"}'></figure>`,
      )
      await save(page)
      const text = (text: string, more = {}) => ({ type: 'text', text, ...more })
      const item = (words: string) => ({ type: 'list-item', children: [text(words)] })
      expect((await stored(id)).body).toEqual([
        { type: 'heading', level: 2, children: [text('A heading')] },
        {
          type: 'paragraph',
          children: [
            text('Plain '),
            text('strong', { bold: true, italic: true }),
            text(' words\nand a line'),
          ],
        },
        {
          type: 'list',
          format: 'ordered',
          children: [
            item('First'),
            { type: 'list', format: 'unordered', children: [item('Inner')] },
            item('Second'),
          ],
        },
        {
          type: 'paragraph',
          children: [text('no link '), { type: 'link', url: '/yes', children: [text('link')] }, text('')],
        },
      ])
      expect(
        await page.locator('main script, main iframe, main [onerror], main [style*=color]').count(),
      ).toBe(0)
      await leave(visit)
    })

    it('keep the words of pasted tables and other blocks apart', async () => {
      const id = await make(null)
      const visit = await open(id)
      const { page } = visit
      await paste(
        body(page),
        `<table><caption>Rivers</caption><tr><th>Name</th><th>Length</th></tr>
        <tr><td>Rhine<br>Rhein</td><td><b>1,233</b> km</td></tr><tr><td></td><td><p>none</p></td></tr></table>
        <details><summary>More</summary>words</details><dl><dt>Source</dt><dd>Alps</dd><dt>Mouth</dt></dl>`,
      )
      await save(page)
      const written = (await stored(id)).body as { type: string; children: { text: string }[] }[]
      expect(written.map(({ type }) => type)).toEqual(written.map(() => 'paragraph'))
      expect(written.map(({ children }) => children.map(({ text }) => text).join(''))).toEqual([
        ...['Rivers', 'Name', 'Length', 'Rhine\nRhein', '1,233 km', 'none'],
        ...['More', 'words', 'Source', 'Alps', 'Mouth'],
      ])
      await leave(visit)
    })

    it('have the line breaks of pasted documents that browsers show, and no others', async () => {
      const id = await make(null)
      const visit = await open(id)
      const { page } = visit
      await paste(
        body(page),
        `<div>One<br></div><div><br></div><div><b><br></b></div><p>Two<br>lines<br></p><br><ul><li>Item<br></li></ul>
        <p>A line<br><br>and an empty one</p><table><tr><td>Cell<br></td><td><br></td></tr></table>
        <p>Last</p><br class="Apple-interchange-newline">`,
      )
      await save(page)
      const written = (await stored(id)).body as { type: string; children: { text?: string }[] }[]
      const wordsOf = ({ type, children }: (typeof written)[number]): string =>
        type === 'list' ? JSON.stringify(children) : children.map(({ text }) => text).join('')
      const item = [{ type: 'list-item', children: [{ text: 'Item', type: 'text' }] }]
      expect(written.map(wordsOf)).toEqual([
        ...['One', '', '', 'Two\nlines', '', JSON.stringify(item)],
        ...['A line\n\nand an empty one', 'Cell', 'Last'],
      ])
      await leave(visit)
    })

    it('take pictures of the library', async () => {
      const id = await make(texts('Before'))
      const visit = await open(id)
      const { page } = visit
      await body(page).click()
      await page
        .getByRole('toolbar', { name: 'Formatting Body' })
        .getByRole('button', { name: 'Picture', exact: true })
        .click()
      const dialog = page.getByRole('dialog')
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'river.png', mimeType: 'image/png', buffer: Buffer.from(onePixel, 'base64') })
      await dialog.getByRole('button', { name: 'river.png', exact: true }).click()
      await body(page).locator('img[src*="/uploads/"]').waitFor()
      await save(page)
      const [, image] = (await stored(id)).body as { type: string; image: { name: string; url: string } }[]
      expect(image).toMatchObject({ type: 'image', image: { name: 'river.png' } })
      expect(image?.image.url.startsWith(`${site.url}/uploads/`)).toBe(true)
      await leave(visit)
    })

    it('take a picture of the clipboard by way of the library, and words with a picture of them as words', async () => {
      const id = await make(texts('Before'))
      const visit = await open(id)
      const { page } = visit
      await body(page).click()
      await press(page, 'Control+End')
      await pastePicture(body(page), 'words.png', ' and after')
      await body(page).getByText('Before and after').waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await pastePicture(body(page), 'screen.png')
      await page.getByRole('dialog').getByRole('button', { name: 'screen.png', exact: true }).click()
      await body(page).locator('img[src*="/uploads/"]').waitFor()
      await leave(visit)
    })

    it('of 50,000 letters are written in, and the input of Japanese is composed', async () => {
      const id = await make(texts(...Array.from({ length: 500 }, (_, i) => `${i} ${'letters '.repeat(12)}`)))
      const visit = await open(id)
      const { page } = visit
      await body(page)
        .getByText('250 letters')
        .click({ position: { x: 2, y: 8 } })
      await press(page, 'Home')
      const client = await page.context().newCDPSession(page)
      for (const text of ['に', 'にほ', 'にほん'])
        await client.send('Input.imeSetComposition', {
          text,
          selectionStart: text.length,
          selectionEnd: text.length,
        })
      await client.send('Input.insertText', { text: '日本' })
      await page.keyboard.type('x')
      await save(page)
      const blocks = (await stored(id)).body as { children: { text: string }[] }[]
      expect(blocks).toHaveLength(500)
      expect(blocks[250]?.children[0]?.text.slice(0, 6)).toBe('日本x250')
      await leave(visit)
    })

    it('S-57: scripts that are stored in a text do not run, and lead nowhere', async () => {
      const script = '<img src=x onerror=alert(1)><script>alert(2)</script>'
      const id = await make(texts(script))
      const body = [
        {
          type: 'paragraph',
          children: [
            { type: 'link', url: 'javascript:alert(3)', children: [{ type: 'text', text: 'a link' }] },
          ],
        },
        {
          type: 'image',
          image: { url: 'javascript:alert(4)', name: script },
          children: [{ type: 'text', text: '' }],
        },
        { type: script, children: [{ type: 'text', text: script }] },
      ]
      // The API refuses the link and the last block; a database that was filled otherwise may have them.
      const visit = await open(id, {}, (page) =>
        page.route('**/desk/api/content/pages/*', async (route) => {
          const response = await route.fetch()
          const answer = (await response.json()) as { data: { attributes: { body: unknown } } }
          answer.data.attributes.body = [...(answer.data.attributes.body as unknown[]), ...body]
          await route.fulfill({ response, json: answer })
        }),
      )
      const { page } = visit
      await page.getByText('a link').click()
      expect(await page.getByRole('textbox', { name: 'Body' }).textContent()).toContain(script)
      expect(await page.locator('main script, main a[href^="javascript:"], main [onerror]').count()).toBe(0)
      expect(await page.locator('main .writing img:not(.ProseMirror-separator)').count()).toBe(0)
      await leave(visit)
    })

    it('are JSON when the editor cannot be loaded, and it says so', async () => {
      const id = await make(texts('One'))
      const visit = await open(id, {}, (page) =>
        page.route('**/assets/blocks-editor-*', (route) => route.abort()),
      )
      const { page } = visit
      await page.getByText('The editor could not be loaded').waitFor()
      await page.getByLabel('Body').fill(JSON.stringify(texts('Two')))
      await save(page)
      expect((await stored(id)).body).toEqual(texts('Two'))
      await leave({ page, complaints: visit.complaints.filter((text) => !text.includes('ERR_FAILED')) })
    })

    it.each(looks)('are accessible in the %s scheme, %d pixels wide', async (colorScheme, width) => {
      const text = (text: string, more = {}) => ({ type: 'text', text, ...more })
      const id = await make(
        [
          ...[1, 2, 3, 4, 5, 6].map((level) => ({
            type: 'heading',
            level,
            children: [text(`Heading ${level}`)],
          })),
          {
            type: 'paragraph',
            children: [
              text(
                'The river had been quiet for so long that nobody in the town could say when they had last heard it. ',
              ),
              { type: 'link', url: '/a', children: [text('A link')] },
              text(' '),
              text('and code', { code: true }),
            ],
          },
          { type: 'quote', children: [text('It spoke.')] },
          { type: 'code', children: [text('select 1\nfrom river')] },
          { type: 'list', format: 'ordered', children: [{ type: 'list-item', children: [text('One')] }] },
        ],
        '# One\n\n> It **spoke**, [a link](/a), `code` and _more_.\n\n1. One\n2. Two',
      )
      const visit = await open(id, { colorScheme, width })
      const { page } = visit
      await body(page).getByText('It spoke.').click()
      await page.getByRole('button', { name: 'Quote', pressed: true }).waitFor()
      await page.getByRole('textbox', { name: /^Text/ }).waitFor()
      await press(page, 'Control+k')
      await checkAccessible(page)
      await leave(visit)
    })
  })

  describe('in Markdown', () => {
    const text = (page: Page) => page.getByRole('textbox', { name: /^Text/ })

    it('are written with the signs of the tools and the keys, and read by the API', async () => {
      const id = await make(null)
      const visit = await open(id, {}, (page) => page.addInitScript(withoutPauses))
      const { page } = visit
      await text(page).click()
      await press(page, 'Control+Alt+2')
      await page.keyboard.type('The quiet river')
      await press(page, 'Enter', 'Enter')
      await page.keyboard.type('It ')
      await press(page, 'Control+b')
      await page.keyboard.type('spoke')
      await press(page, 'End', 'Enter', 'Control+Shift+8')
      await page.keyboard.type('One')
      await press(page, 'Enter')
      await page.keyboard.type('Two words')
      await press(page, 'Shift+Control+ArrowLeft', 'Control+k')
      await page.getByLabel('Address of the link').fill('example.org')
      await press(page, 'Enter', 'Enter', 'Enter')
      await page.keyboard.type('gone')
      await press(page, 'Control+z')
      const written = '## The quiet river\n\nIt **spoke**\n- One\n- Two [words](https://example.org)\n'
      await expect
        .poll(() => text(page).evaluate((element) => element.textContent.includes('gone')))
        .toBe(false)
      await save(page)
      expect((await stored(id)).text).toBe(written)
      await press(page, 'Shift+Tab', 'End', 'Enter')
      await page.getByRole('heading', { name: 'The quiet river' }).waitFor()
      await page.getByRole('link', { name: 'words' }).waitFor()
      await checkAccessible(page)
      await leave(visit)
    })

    it('keep their HTML, and the preview shows it without what could harm (S-57)', async () => {
      const html = `<div style="position:fixed" class="dialog" onclick="alert(1)">words</div>
<img src=x onerror="alert(2)"> <script>alert(3)</script> <svg onload="alert(4)"></svg>

[a link](javascript:alert(5)) [another](/yes) ![a picture](javascript:alert(6))
<iframe srcdoc="<script>alert(7)</script>"></iframe><form action="/x"><button>press</button></form>
<style>* { display: none }</style>`
      const id = await make(null, html)
      const visit = await open(id)
      const { page } = visit
      await page.getByRole('textbox', { name: 'Title' }).fill('Changed')
      await page.getByRole('button', { name: 'Preview' }).click()
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByText('words').waitFor()
      expect(await preview.innerHTML()).not.toMatch(
        /style|class|onclick|onerror|script|svg|iframe|form|button/,
      )
      await preview.getByText('a picture').waitFor()
      expect(
        await preview.locator('a').evaluateAll((links) => links.map((one) => one.getAttribute('href'))),
      ).toEqual([null, '/yes'])
      await save(page)
      expect((await stored(id)).text).toBe(html)
      await leave(visit)
    })

    it('take pictures of the library, and changes of others', async () => {
      const id = await make(null, 'One\n')
      const visit = await open(id)
      const { page } = visit
      await text(page).click()
      await press(page, 'Control+End')
      await page
        .getByRole('toolbar', { name: 'Formatting Text' })
        .getByRole('button', { name: 'Picture', exact: true })
        .click()
      const dialog = page.getByRole('dialog')
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'bank.png', mimeType: 'image/png', buffer: Buffer.from(onePixel, 'base64') })
      await dialog.getByRole('button', { name: 'bank.png', exact: true }).click()
      await expect.poll(() => text(page).textContent()).toContain('/uploads/')
      await save(page)
      expect((await stored(id)).text).toMatch(/^One\n!\[\]\(http:\/\/.*\/uploads\/.*\.png\)$/)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => text(page).textContent()).toBe('One')
      await leave(visit)
    })

    it('take pasted documents with the signs for what they mean, and no script or picture', async () => {
      const visit = await open(await make(null, null))
      const { page } = visit
      const word = (level: number, mark: string, words: string) =>
        `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${mark}<span>&nbsp; </span></span>${words}</p>`
      await text(page).click()
      await paste(
        text(page),
        `<meta charset=utf-8><style>p { color: red }</style><b style="font-weight:normal">
        <h2 style="font-weight:700">A\nheading</h2>
        <p style='color:red'>Plain <span style="font-weight:700;font-style:italic">strong </span>2 * 3, a_b and *this*\r
        words<br>and a line</p>
        ${word(1, '1.', 'First')}\n${word(2, '·', 'Inner')}\n${word(1, '2.', 'Second')}
        <img src=x onerror="alert(1)"><script>alert(2)</script>
        <p><a href="javascript:alert(4)" onclick="alert(5)">no link</a> <a href="/yes">a [link]</a>, <code>a\`b</code></p>
        <blockquote><p># One</p><p>Two</p></blockquote></b>
        <p>un<i>believ</i>able <b>runs</b><b> of</b><b> one</b> word</p>
        <ul><li><p>A</p><ol><li>B</li></ol></li><li>C</li></ul>
        <table><tr><th>Name</th><th>Length</th></tr><tr><td>Rhine | Rhein</td><td><b>1,233</b> km</td></tr></table>
        <pre>let a = 1\n# b</pre>`,
      )
      await save(page)
      const [first] = (await pages().find({ sort: 'id:desc', publicationState: 'preview' } as never)).data
      expect((first as unknown as { attributes: { text: string } }).attributes.text.split('\n')).toEqual([
        '## A heading',
        '',
        'Plain ***strong*** 2 * 3, a_b and \\*this\\* words  ',
        'and a line',
        '',
        '1. First',
        '   - Inner',
        '2. Second',
        '',
        'no link [a \\[link\\]](/yes), ``a`b``',
        '',
        '> \\# One',
        '>',
        '> Two',
        '',
        'un*believ*able **runs of one** word',
        '',
        '- A',
        '  1. B',
        '- C',
        '',
        '| Name | Length |',
        '| --- | --- |',
        '| Rhine \\| Rhein | **1,233** km |',
        '',
        '```',
        'let a = 1',
        '# b',
        '```',
      ])
      // A paste is one step, and the preview shows what was pasted.
      await page.getByRole('button', { name: 'Preview' }).click()
      await page
        .getByRole('region', { name: 'Preview' })
        .getByRole('heading', { name: 'A heading' })
        .waitFor()
      await page.getByRole('region', { name: 'Preview' }).getByText('*this*').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Preview' }).click()
      await expect.poll(() => text(page).textContent()).toBe('')
      await leave(visit)
    })

    it('take pasted source, and what is pasted into code, as it is written', async () => {
      const visit = await open(await make(null, 'One'))
      const { page } = visit
      /** Pastes HTML beside its plain text. */
      const pasteBoth = (html: string, plain: string) =>
        text(page).evaluate(
          (element, [html, plain]) => {
            const clipboardData = new DataTransfer()
            clipboardData.setData('text/html', html)
            clipboardData.setData('text/plain', plain)
            element.dispatchEvent(
              new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
            )
          },
          [html, plain] as const,
        )
      await text(page).click()
      await press(page, 'Control+End', 'Enter')
      await pasteBoth(
        '<div style="font-family: monospace; white-space: pre;"><b># Two</b></div>',
        '# Two\n```\n',
      )
      await pasteBoth('<p>a <b>bold</b> word</p>', 'a bold word')
      await save(page)
      const lines = await text(page).locator('.cm-line').allTextContents()
      expect(lines).toEqual(['One', '# Two', '```', 'a bold word'])
      await leave(visit)
    })

    it('take a picture of the clipboard by way of the library', async () => {
      const visit = await open(await make(null, 'One'))
      const { page } = visit
      await text(page).click()
      await pastePicture(text(page), 'window.png')
      await page.getByRole('dialog').getByRole('button', { name: 'window.png', exact: true }).click()
      await expect.poll(() => text(page).textContent()).toContain('/uploads/')
      await leave(visit)
    })

    it('of 50,000 letters take the input of Japanese', async () => {
      const id = await make(
        null,
        Array.from({ length: 500 }, (_, i) => `${i} ${'letters '.repeat(12)}`).join('\n\n'),
      )
      const visit = await open(id)
      const { page } = visit
      await text(page).click({ position: { x: 19, y: 20 } })
      await press(page, 'Control+Home')
      const client = await page.context().newCDPSession(page)
      for (const text of ['に', 'にほ'])
        await client.send('Input.imeSetComposition', {
          text,
          selectionStart: text.length,
          selectionEnd: text.length,
        })
      await client.send('Input.insertText', { text: '日本' })
      await page.keyboard.type('x')
      await save(page)
      expect(String((await stored(id)).text).slice(0, 12)).toBe('日本x0 letters')
      await leave(visit)
    })

    it('are plain when the editor cannot be loaded, and it says so', async () => {
      const id = await make(null, 'One')
      const visit = await open(id, {}, (page) =>
        page.route('**/assets/markdown-editor-*', (route) => route.abort()),
      )
      const { page } = visit
      await page.getByText('The editor could not be loaded').waitFor()
      await page.getByLabel(/^Text/).fill('Two')
      await save(page)
      expect((await stored(id)).text).toBe('Two')
      await leave({ page, complaints: visit.complaints.filter((text) => !text.includes('ERR_FAILED')) })
    })
  })

  it('of an address say whether it is taken, those in JSON where the mistake is, and moments are those of the zone', async () => {
    await pages().create({ title: 'First', slug: 'taken', publishedAt: null } as never)
    const opens = '2026-03-02T08:00:00.000Z'
    const { id } = await pages().create({ title: 'Second', slug: 'own', opens, publishedAt: null } as never)
    const visit = await open(id)
    const { page } = visit
    await page.getByLabel('Slug').fill('taken')
    await page.getByText('Another entry has this address already.').waitFor()
    await page.getByLabel('Slug').fill('not-taken')
    await page.getByText('No other entry that your roles show has this address.').waitFor()
    await page.getByLabel('Facts').fill('{\n  "one": 1,\n  two: 2\n}')
    await page.getByText('line 3, column 3').waitFor()
    await page.getByLabel('Facts').fill('{ "one": 1 }')
    const shown = await page.getByLabel('Opens').inputValue()
    expect(shown).toBe(
      await page.evaluate(
        (time) => new Date(time).toLocaleString('sv').slice(0, 16).replace(' ', 'T'),
        opens,
      ),
    )
    await save(page)
    expect(await stored(id)).toMatchObject({ slug: 'not-taken', facts: { one: 1 }, opens })
    await leave(visit)
  })
})
