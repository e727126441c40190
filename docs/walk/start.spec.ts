import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runs } from '@octavo/testing'
import { packedPackages, useTarballs } from '@octavo/testing/pack-packages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, pageFile, readPage } from '../test/support/pages.ts'
import { printJson, withExamples } from '../test/support/print-json.ts'
import { Terminal } from '../test/support/shell.ts'

/**
 * Pages that a new user follows, in an empty folder, with the packages as they would be published; and, each night, that of the author of
 * a plugin.
 */
const pages = ['start.md', 'program.md', 'plugins/first.md'].slice(0, runs(2, 3))

let folder: string
let tarballs: ReadonlyMap<string, string>
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-start-'))
  tarballs = packedPackages()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * A free port below those that systems assign to `listen(0)` and to connections: the server of a page starts minutes later, and
 * other tests run meanwhile.
 */
async function freePort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port++) {
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await new Promise((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/** The environment without the settings of this test, which the tests of a plugin would read. */
const ofUser = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !/^(?:NODE_ENV$|VITEST|OCTAVO_TEST_(?!CHROMIUM))/.test(name),
    ),
  )

/**
 * `npm install @octavo/cli` takes the packed packages, all of them: they are in no registry. The client needs none of the
 * others.
 */
const withTarballs = (commands: string): string =>
  commands.replace(/^npm install (.*@octavo\/.*)$/m, (_, names: string) => {
    const own = names.split(' ').filter((name) => name.startsWith('@octavo/'))
    const others = names.split(' ').filter((name) => !own.includes(name))
    const files = own.every((name) => name === '@octavo/client')
      ? own.map((name) => tarballs.get(name))
      : tarballs.values()
    return `npm install --no-audit --no-fund ${[...files, ...others].join(' ')}`
  })

/**
 * Runs a block. An `npm install` without names takes the packed packages as well, in the folder that the commands before it lead to.
 * @returns the output of the last commands
 */
async function runBlock(terminal: Terminal, code: string): Promise<string> {
  const install = 'npm install\n'
  const [first = '', ...rest] = code.split(/^npm install\n/m)
  let output = await terminal.run(withTarballs(first))
  for (const more of rest) {
    useTarballs(path.join((await terminal.run('pwd')).trim(), 'package.json'), tarballs)
    output = await terminal.run(install + more)
  }
  return output
}

describe.each(pages)('docs/%s', (name) => {
  /** `pnpm test:walk -u` writes the answers. */
  it('works in an empty folder, and has the answers of its server', async () => {
    const home = path.join(folder, path.basename(name, '.md'))
    mkdirSync(home)
    const port = String(await freePort())
    const withPort = (text: string): string => text.replaceAll('1337', port)
    const settings = { ...ofUser(process.env), PORT: port, LOG_LEVEL: 'warn', NO_COLOR: '1' }
    const terminal = new Terminal(home, settings)
    let server: Terminal | undefined
    /** The folder that the page has made. */
    let project = home
    const page = readPage(name)
    const blocks = blocksOf(page)
    let walked = ''
    let end = 0
    try {
      for (const [i, block] of blocks.entries()) {
        const file =
          /^file (.*)/.exec(block.note ?? '')?.[1] ?? /^\/\/ ([\w./-]+\.ts)\n/.exec(block.code)?.[1]
        if (['ts', 'json', 'html'].includes(block.language) && file !== undefined)
          writeFileSync(path.join(project, file), withPort(block.code))
        if (block.language !== 'sh') continue
        if (block.note === 'server') {
          server = new Terminal(project, settings)
          await server.start(block.code.trim(), /http:\/\/(?:localhost|[\d.]+):\d+/)
          continue
        }
        const output = (await runBlock(terminal, withPort(block.code))).replaceAll(port, '1337')
        project = (await terminal.run('pwd')).trim()
        const next = blocks[i + 1]
        const isCurl = block.code.startsWith('curl')
        const isAnswer =
          next && page.slice(block.to, next.from).trim() === '' && ['json', 'text'].includes(next.language)
        if (block.note === 'answer not shown' || !(isCurl || /^npx octavo check/.test(block.code))) continue
        const answer = isCurl
          ? `\`\`\`json\n${printJson(withExamples(JSON.parse(output)))}\n\`\`\``
          : `\`\`\`text\n${output.replaceAll(project, '.').trim()}\n\`\`\``
        walked += `${page.slice(end, block.to)}\n\n${answer}`
        end = isAnswer ? next.to : block.to
      }
    } finally {
      await server?.close()
      await terminal.close()
    }
    await expect(walked + page.slice(end)).toMatchFileSnapshot(pageFile(name))
  })
})
