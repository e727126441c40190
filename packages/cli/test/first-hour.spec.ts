/** The commands as a stranger types them: their help, the variables of `.env`, and versions of Octavo in package.json. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createOctavo } from '@octavo/core'
import { octavoOptions } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { builtInPlugins } from '../src/built-in-plugins.ts'
import { pluginCommands } from '../src/program/plugin-help.ts'
import { bin, command, launch, withPreparedDatabases } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-first-hour-'))
  const file = (name: string, content: object | string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  file('content/content-types/page.json', {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages' },
    attributes: { title: { type: 'string' } },
  })
  file(
    'octavo.config.mjs',
    `export default { content: './content', plugins: [], urls: [process.env.SHOWN], notes: ['Sign in as ' + process.env.SHOWN] }`,
  )
  file('.env', 'SHOWN=/from-the-file\nOCTAVO_GIVEN=from the file\n')
  file('package.json', { name: 'mine', type: 'module', dependencies: { forms: '1.0.0' } })
  file('node_modules/forms/package.json', { name: 'forms', engines: { octavo: '>=1' } })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const octavo = (args: readonly string[], variables: NodeJS.ProcessEnv = {}) =>
  command(folder, args, variables)

describe('Help', () => {
  it('lists the commands of plugins as they declare them', async () => {
    const { url: database, drop } = await createTestDatabase()
    const running = await createOctavo(octavoOptions({ plugins: await builtInPlugins(), database }))
    const declared = [...running.commands].map(([words, { run: _, ...command }]) => ({ words, ...command }))
    await running.close()
    await drop()
    const sorted = (list: readonly { readonly words: string }[]) =>
      list.toSorted((a, b) => (a.words < b.words ? -1 : 1))
    // Webhooks are no default: they need addresses.
    const defaults = pluginCommands
    expect(sorted(defaults)).toEqual(sorted(declared))
  })

  it('octavo --help has every command', async () => {
    const { out } = await octavo(['--help'])
    for (const { words } of pluginCommands) expect(out).toContain(`  ${words} `)
    for (const words of ['start', 'check', 'generate', 'import', 'export', 'replay', 'token', 'types'])
      expect(out).toMatch(new RegExp(`^  ${words}`, 'm'))
  })

  it('octavo permissions --help is its own, and needs no configuration', async () => {
    const nowhere = mkdtempSync(path.join(tmpdir(), 'octavo-nowhere-'))
    const { code, out } = await command(nowhere, ['permissions', '--help'])
    rmSync(nowhere, { recursive: true })
    expect(code).toBe(0)
    expect(out).toContain('octavo permissions grant <role> <actions...>')
    expect(out).toContain('octavo permissions list')
    expect(out).not.toContain('octavo start')
    expect(out).not.toContain('media check')
    expect((await octavo(['media', 'check', '-h'])).out).toContain('--delete')
  })
})

describe('A file that is not there', () => {
  it('is named as such: a configuration, a data file', async () => {
    expect(await octavo(['check', '--config', 'nope.ts'])).toMatchObject({
      code: 1,
      err: 'octavo: There is no configuration nope.ts\n',
    })
    expect(await octavo(['import', 'nope.json', '--database', 'memory://'])).toMatchObject({
      code: 1,
      err: 'octavo: Nothing was imported: there is no file nope.json.\n',
    })
  })
})

describe('An export whose reader ends', () => {
  it('is said to be incomplete', async () => {
    const { url: database, drop } = await createTestDatabase()
    const title = 'x'.repeat(1000)
    const pages = Array.from({ length: 2000 }, (_, i) => ({ id: i + 1, title }))
    writeFileSync(path.join(folder, 'pages.json'), JSON.stringify({ entries: { 'api::page.page': pages } }))
    expect(await octavo(['import', 'pages.json', '--database', database])).toMatchObject({ code: 0 })
    const { child, ended } = launch(folder, ['export', '-', '--database', database])
    child.stdout?.once('data', () => child.stdout?.destroy())
    expect(await ended).toMatchObject({
      code: 1,
      err: 'octavo: The export is not complete: nothing reads it any more\n',
    })
    await drop()
  })

  it.runIf(process.platform === 'linux')(
    'is said to be incomplete, with the reason, on a full disk',
    async () => {
      const full = openSync('/dev/full', 'w')
      const { stderr } = spawnSync(process.execPath, [bin, 'export', '-', '--database', 'memory://'], {
        cwd: folder,
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
        env: { ...process.env, LOG_LEVEL: 'error', NODE_OPTIONS: withPreparedDatabases },
      })
      closeSync(full)
      expect(stderr).toContain('octavo: The export is not complete: ENOSPC: no space left on device, write')
    },
  )
})

describe.runIf(process.platform === 'linux')('A command whose output finds the disk full', () => {
  it.each([
    ['--help', []],
    ['--version', []],
    ['start --help', []],
    ['help token create', []],
    ['openapi', []],
    ['token create', ['--name', 'x', '--full']],
    ['permissions list', []],
  ])('says so, and has not succeeded: %s', (name, flags) => {
    const full = openSync('/dev/full', 'w')
    const args = [...name.split(' '), ...flags, '--database', 'memory://', '--content', './content']
    const { stderr, status } = spawnSync(process.execPath, [bin, ...args], {
      cwd: folder,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, LOG_LEVEL: 'error', NODE_OPTIONS: withPreparedDatabases },
    })
    closeSync(full)
    expect([status, stderr]).toEqual([
      1,
      'octavo: The output is not complete: ENOSPC: no space left on device, write\n',
    ])
  })
})

it.skipIf(process.platform === 'win32')('A working directory that was removed is named', () => {
  const removed = mkdtempSync(path.join(tmpdir(), 'octavo-removed-'))
  const { stderr, status } = spawnSync(
    'sh',
    ['-c', 'cd "$1" && rmdir "$1" && exec "$2" "$3" check', 'sh', removed, process.execPath, bin],
    { encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([
    1,
    'octavo: The working directory was removed. Change to another folder, and run the command again\n',
  ])
})

describe('LOG_LEVEL', () => {
  it('is named with the levels when it is none of them', async () => {
    const { code, err } = await octavo(['check'], { LOG_LEVEL: 'loud' })
    expect([code, err]).toEqual([
      1,
      'octavo: The environment variable LOG_LEVEL is debug, info, warn, error or silent, not "loud".\n',
    ])
  })

  it('may be a variable of .env', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'octavo-log-level-'))
    writeFileSync(path.join(own, 'octavo.config.mjs'), 'export default {}')
    writeFileSync(path.join(own, '.env'), 'LOG_LEVEL=loud')
    const { code, err } = await launch(own, ['check'], { LOG_LEVEL: undefined }).ended
    rmSync(own, { recursive: true })
    expect([code, err]).toEqual([1, expect.stringContaining('not "loud"')])
  })

  it('is the default when it is empty, as in a compose file without a value for it', async () => {
    const { code, err } = await octavo(['check'], { LOG_LEVEL: '' })
    expect([code, err]).toEqual([0, ''])
  })
})

describe('A configuration', () => {
  it('that --content stands in place of is named', async () => {
    // The log goes past the output that commands of one process are given.
    const alone = (...args: readonly string[]) => launch(folder, args, { LOG_LEVEL: 'warn' }).ended
    const warned = await alone('check', '--content', './content')
    expect(warned.out + warned.err).toContain(
      'octavo.config.mjs is not read, because --content stands in its place; to have both, add --config octavo.config.mjs',
    )
    const read = await alone('check', '--content', './content', '--config', 'octavo.config.mjs')
    expect(read.out + read.err).not.toContain('is not read')
  })

  it('has the variables of .env beside it, below those of the environment', async () => {
    // A new embedded database takes seconds, so only runs on PGlite make one.
    const { url: database, drop } = await createTestDatabase()
    const start = async (variables: NodeJS.ProcessEnv = {}): Promise<string> => {
      const { url, stop } = launch(folder, ['start', '--port', '0', '--database', database], variables)
      await url()
      return (await stop()).out
    }
    const out = await start()
    // One line of JSON beside a log in JSON.
    expect(JSON.parse(out)).toMatchObject({
      addresses: [expect.stringMatching(/\/from-the-file$/)],
      notes: ['Sign in as /from-the-file'],
      msg: expect.stringMatching(/^Octavo listens on http:/),
    })
    expect(JSON.parse(await start({ SHOWN: '/given' }))).toMatchObject({
      addresses: [expect.stringMatching(/\/given$/)],
    })
    await drop()
  })

  it('is refused with another range of versions than one, in the project and in what it depends on', async () => {
    const write = (name: string, octavo: string): void =>
      writeFileSync(
        path.join(folder, name),
        JSON.stringify({ name: 'mine', dependencies: { forms: '1' }, engines: { octavo } }),
      )
    write('package.json', 'latest')
    const own = await octavo(['check'])
    expect([own.code, own.err]).toEqual([1, expect.stringContaining('The project "mine": engines.octavo')])
    write('package.json', '>=0.0.0')
    write('node_modules/forms/package.json', 'newest')
    const other = await octavo(['check'])
    expect([other.code, other.err]).toEqual([
      1,
      expect.stringContaining('The package "mine": engines.octavo'),
    ])
  })
})
