import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runs } from '@octavo/testing'
import { packedPackages, useTarballs } from '@octavo/testing/pack-packages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Each installs and builds a front end.
vi.setConfig({ testTimeout: 900_000 })

const root = fileURLToPath(new URL('../../../', import.meta.url))
const cli = path.join(root, 'packages/cli/dist/bin.js')
const config = path.join(root, 'apps/demo/octavo.config.ts')

let folder: string
let tarballs: ReadonlyMap<string, string>
let server: ChildProcess
let url: string
let titles: readonly string[]

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-frontends-'))
  tarballs = packedPackages()
  server = spawn(
    process.execPath,
    [cli, 'start', '--config', config, '--database', 'memory://', '--port', '0'],
    {
      cwd: root,
      env: { ...process.env, LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  url = await new Promise<string>((resolve, reject) => {
    let output = ''
    server.once('exit', (code) => reject(new Error(`The demo ended with ${code}: ${output}`)))
    server.stdout?.on('data', (chunk) => {
      output += chunk
      const port = /http:\/\/[\w.]+:(\d+)/.exec(output)?.[1]
      if (port) resolve(`http://127.0.0.1:${port}`)
    })
  })
  const answer = await fetch(`${url}/api/books?fields=title&pagination[pageSize]=100`)
  const { data } = (await answer.json()) as { data: { attributes: { title: string } }[] } // the contract of lists
  titles = data.map(({ attributes }) => attributes.title)
  expect(titles.length).toBeGreaterThan(5)
})
afterAll(() => {
  server?.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Installs a front end with the packed packages in a folder of its own, and runs its scripts. */
function build(name: string, ...scripts: readonly string[]): string {
  const target = path.join(folder, name)
  const notCopied = /(^|\/)(node_modules|\.next|dist|\.astro)(\/|$)/
  cpSync(path.join(root, 'examples/frontends', name), target, {
    recursive: true,
    filter: (file) => !notCopied.test(path.relative(root, file)),
  })
  useTarballs(path.join(target, 'package.json'), tarballs)
  const env = {
    ...process.env,
    OCTAVO_URL: url,
    NODE_ENV: undefined,
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
  }
  const npm = (...args: readonly string[]) =>
    execFileSync('npm', args, { cwd: target, env, stdio: ['ignore', 'pipe', 'inherit'] })
  npm('install', '--no-audit', '--no-fund', '--include=dev')
  for (const script of scripts) npm('run', script)
  return target
}

const pagesIn = (target: string): readonly string[] =>
  readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;')
const plain = (html: string): string => html.replaceAll('&#39;', '&#x27;').replaceAll('<!-- -->', '')

describe('Front ends of the demo', () => {
  const frameworks = [
    ['Astro', 'astro', ['check', 'build'], 'dist'],
    ['Next.js', 'next', ['build'], '.next/server/app'],
  ] as const
  // The other one each night.
  it.each(frameworks.slice(0, runs(1, 2)))(
    '%s builds a page of each book',
    (_name, name, scripts, output) => {
      const pages = path.join(build(name, ...scripts), output)
      const home = plain(readFileSync(path.join(pages, 'index.html'), 'utf8'))
      expect(home).toContain(`${titles.length} books`)
      for (const title of titles) expect(home).toContain(escaped(title))
      const books = pagesIn(pages).filter((file) => file.startsWith('books/'))
      expect(books).toHaveLength(titles.length)
      for (const title of titles)
        expect(
          books.some((file) =>
            plain(readFileSync(path.join(pages, file), 'utf8')).includes(`<h1>${escaped(title)}</h1>`),
          ),
          title,
        ).toBe(true)
    },
  )
})
