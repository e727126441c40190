import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { program } from '../../packages/cli/src/program/program.ts'
import { allPages, type Block, blocksOf, docs, readPage } from './support/pages.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** A page with a test of its own: packages/client/test/snippets.spec.ts runs it against a server. */
const elsewhere = ['client.md']

/** The blocks of all pages in a language, except for blocks with a reason for not running. */
const blocksIn = (language: string): readonly (readonly [page: string, block: Block])[] =>
  allPages.flatMap((page) =>
    (elsewhere.includes(page) ? [] : blocksOf(readPage(page)))
      .filter((block) => block.language === language && !block.note?.startsWith('not run'))
      .map((block) => [page, block] as const),
  )

describe('TypeScript on the pages', () => {
  /** A folder in this package, so that the packages are found from there. */
  let folder: string
  beforeAll(() => {
    mkdirSync(path.join(docs, '.octavo'), { recursive: true })
    folder = mkdtempSync(path.join(docs, '.octavo/snippets-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /**
   * The blocks of a page are the files of one project. A block begins with its path, `// plugins/articles.ts`; one without
   * is a file of its own, and `<!-- snippet: continues -->` adds a block to the file of the one before.
   */
  it('compiles', async () => {
    const files = new Map<string, string>()
    let last = ''
    for (const [page, { code, line, note }] of blocksIn('ts')) {
      // The walk compiles it in the project of the page.
      if (note?.startsWith('file ')) continue
      const home = page.replace(/\.md$/, '').replaceAll('/', '-')
      const name = /^\/\/ ([\w./-]+\.ts)\n/.exec(code)?.[1] ?? `line-${line}.ts`
      const file = note === 'continues' ? last : path.join(folder, home, name)
      if (note !== 'continues' && files.has(file)) throw new Error(`${page} has ${name} twice`)
      files.set(file, `${files.get(file) ?? ''}${code}`)
      last = file
    }
    expect(files.size).toBeGreaterThan(25)
    for (const [file, code] of files) {
      mkdirSync(path.dirname(file), { recursive: true })
      // Without an import or export it would be a script, which shares its names with the others.
      writeFileSync(file, /^(?:import|export)\b/m.test(code) ? code : `${code}export {}\n`)
    }
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: path.join(docs, '../tsconfig.test.base.json'),
        compilerOptions: { tsBuildInfoFile: './tsbuildinfo' },
        include: ['**/*.ts'],
      }),
    )
    const tsc = path.join(docs, '../node_modules/typescript/bin/tsc')
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })
})

describe('JSON on the pages', () => {
  it('parses', () => {
    const blocks = blocksIn('json')
    expect(blocks.length).toBeGreaterThan(100)
    // Some pages show one member of an object.
    for (const [page, { code, line }] of blocks)
      expect(
        () => JSON.parse(code.startsWith('"') ? `{${code}}` : code),
        `${page}, line ${line}`,
      ).not.toThrow()
  })
})

/** The words of a command, with quotes and `\` at the end of a line as in a shell. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/['"]/g, ''))

/** Commands and options that do not exist throw; nothing runs. */
function inert(command: Command): Command {
  command.exitOverride().configureOutput({ writeErr: () => {} })
  // The placeholder for commands of plugins accepts every word.
  if (command.name() !== 'plugin-command') command.action(() => {})
  for (const inner of command.commands) inert(inner)
  return command
}

/** Commands of plugins, which the command line learns from the configuration. */
const ofPlugins =
  /^(?:media check|permissions (?:grant|revoke|list)|reviews tidy|editors create|graphql schema)\b/

describe('Commands on the pages', () => {
  const commands = allPages.flatMap((page) =>
    blocksOf(readPage(page))
      .filter(({ language, note }) => language === 'sh' && !note?.startsWith('not run'))
      .flatMap(({ code, line }) =>
        [...code.replaceAll('\\\n', ' ').matchAll(/(?:^|[;(]|&& |\| )[^#\n]*?\boctavo ([^#\n|)]+)/gm)].map(
          ([, given = '']) => ({ page, line, given: given.trim() }),
        ),
      ),
  )

  it('are commands and options of octavo', () => {
    expect(commands.length).toBeGreaterThan(30)
    for (const { page, line, given } of commands) {
      if (ofPlugins.test(given)) continue
      const words = wordsOf(given.replace(/ >.*$/, ''))
      expect(
        () => inert(program()).parse(words, { from: 'user' }),
        `${page}, line ${line}: ${given}`,
      ).not.toThrow()
    }
  })
})
