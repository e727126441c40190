/** Commands of plugins that are misspelt, or lack their words. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { command } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
const database = (): string => path.join(folder, 'data')
const content = (...args: readonly string[]) =>
  command(folder, [...args, '--content', 'content', '--database', `file:${database()}`])

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'octavo plügin-')))
  mkdirSync(path.join(folder, 'content/content-types'), { recursive: true })
  const page = {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages' },
    attributes: { title: { type: 'string' } },
  }
  writeFileSync(path.join(folder, 'content/content-types/page.json'), JSON.stringify(page))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('A command that does not exist is refused before the database is opened', () => {
  it.each<[readonly string[], string]>([
    [['improt', 'x.json'], 'There is no command "improt x.json"; did you mean "import"?'],
    [['draft', 'delete', 'pages'], 'There is no command "draft delete pages"; did you mean "drafts delete"?'],
    [['permissions', 'lst'], 'There is no command "permissions lst"; did you mean "permissions list"?'],
    [['media'], 'There is no command "media". Commands of plugins:\n  octavo media check: lists files'],
    [['media', 'check', '--delte'], 'octavo media check has no option --delte; did you mean "--delete"?'],
    [['webhooks', 'list', '-failed'], 'octavo webhooks list has no option -failed; did you mean "--failed"?'],
    [
      ['drafts', 'delete', 'pages', '--all'],
      'octavo drafts delete has no option --all. Commands of plugins:',
    ],
  ])('octavo %j', async (words, message) => {
    const { code, out, err } = await content(...words)
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(`octavo: ${message}`)])
    expect(err.split('\n').length).toBeLessThan(4)
    expect(existsSync(database())).toBe(false)
  })
})

it.each<[readonly string[], string]>([
  [['drafts', 'delete'], 'octavo: There are no content-types: give a folder'],
  [['hepl'], 'octavo: There is no command "hepl"; did you mean "help"?'],
  [
    ['improt', 'x.json'],
    'octavo: There is no command "improt x.json"; did you mean "import"? A command of a plugin',
  ],
])('Without content, octavo %j says what is missing', async (words, message) => {
  const { code, out, err } = await command(folder, words)
  expect([code, out, err]).toEqual([1, '', expect.stringContaining(message)])
})

it('The output has no mistake of a call', async () => {
  const { code, out, err } = await content('drafts', 'publish', 'pags')
  expect([code, out, err]).toEqual([1, '', 'octavo: There is no content-type pags; did you mean "pages"?\n'])
})

it.each<[readonly string[], string]>([
  [['token', 'create'], 'Usage: octavo token create '],
  [['drafts'], 'octavo drafts publish <uids...>'],
  [['webhooks', 'replay'], 'octavo webhooks replay <ids...>'],
])('octavo help %j is the help of the command', async (words, help) => {
  expect(await command(folder, ['help', ...words])).toEqual(await command(folder, [...words, '--help']))
  expect((await command(folder, ['help', ...words])).out).toContain(help)
})

it.each<[readonly string[], string]>([
  [['permissions', 'grant', 'public', 'api::page.page.find'], 'octavo permissions grant <role> <actions...>'],
  [['permissions', '--content', 'content'], 'octavo permissions grant <role> <actions...>'],
  [['--content', 'content', 'media', '--database', 'memory://'], 'octavo media check'],
])('octavo %j --help is the help of the command that the words are for', async (words, help) => {
  for (const flag of ['--help', '-h']) {
    const { code, out, err } = await command(folder, [...words, flag])
    expect([code, out.split('\n')[0], err]).toEqual([0, help, ''])
  }
})

it.each<[string, string]>([
  ['--verbose', 'octavo has no option --verbose. See octavo --help.'],
  ['--helpp', 'octavo has no option --helpp; did you mean "--help"? See octavo --help.'],
])('octavo %s names the option, since there is no command', async (option, message) => {
  for (const args of [[option], [option, '--content', 'content']])
    expect(await command(folder, args)).toEqual({ code: 1, out: '', err: `octavo: ${message}\n` })
})
