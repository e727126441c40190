import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange } from './support/exchange.ts'
import { type Magazine, startMagazine } from './support/magazine.ts'
import { allPages, blocksOf, pageFile, readPage } from './support/pages.ts'

/** Pages with a test of their own: the walk of a new user (`test:walk`), and `editors.spec.ts`. */
const elsewhere = ['start.md', 'editors.md']

const pages = allPages.filter(
  (name) => !elsewhere.includes(name) && blocksOf(readPage(name)).some(({ language }) => language === 'http'),
)

/**
 * The answers on the pages are those of a server: each `http` block is sent, and the block after it must hold the answer.
 * `<!-- snippet: answer not shown -->` before a block leaves out the answer, which must be a success.
 * `pnpm vitest run docs/test/answers.spec.ts -u` writes them.
 */
describe.each(pages)('docs/%s', (name) => {
  let magazine: Magazine
  beforeAll(async () => {
    magazine = await startMagazine()
  })
  afterAll(() => magazine.close())

  it('has the answers of a server to its requests', async () => {
    const page = readPage(name)
    const blocks = blocksOf(page)
    let answered = ''
    let end = 0
    for (const [i, block] of blocks.entries()) {
      if (block.language !== 'http' || block.note?.startsWith('not run')) continue
      const { status, language, code } = await exchange(block.code, magazine)
      if (block.note === 'answer not shown') {
        expect(status, `${name}, line ${block.line}`).toBeLessThan(400)
        continue
      }
      const next = blocks[i + 1]
      const isAnswer =
        next && page.slice(block.to, next.from).trim() === '' && ['json', 'text'].includes(next.language)
      answered += `${page.slice(end, block.to)}\n\n\`\`\`${language}\n${code}\`\`\``
      end = isAnswer ? next.to : block.to
    }
    await expect(answered + page.slice(end)).toMatchFileSnapshot(pageFile(name))
  })
})
