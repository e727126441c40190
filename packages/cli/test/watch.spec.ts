/** `octavo start --watch`: the server starts again after each change of the project, however an editor saves it. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Launched, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const type = (name: string) =>
  JSON.stringify({
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s` },
    attributes: { title: { type: 'string' } },
  })

const configuration = (prefix: string) =>
  `export default { content: './content', api: { rest: { prefix: '/${prefix}' } } }`

let folder: string
let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase()
  // Files in folders with these names are not watched, but the project's own folder may have any.
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'octavo-watch-')), '.public')
  mkdirSync(path.join(folder, 'content/content-types'), { recursive: true })
  write('content/content-types/page.json', type('page'))
  write('octavo.config.ts', configuration('one'))
})
afterAll(async () => {
  await database.drop()
  rmSync(path.dirname(folder), { recursive: true, force: true })
})

const write = (file: string, text: string): void => writeFileSync(path.join(folder, file), text)

/** As editors save that keep the former file until the new one is complete. */
function replace(file: string, text: string): void {
  write(`${file}~`, text)
  renameSync(path.join(folder, `${file}~`), path.join(folder, file))
}

const startWatched = () =>
  launch(folder, [
    'start',
    '--watch',
    '--port',
    '0',
    '--host',
    '127.0.0.1',
    '--public-read',
    '--database',
    database.url,
  ])

/** The status of an answer of the server that has started last; `undefined` while none answers. */
async function statusOf({ output }: Launched, address: string): Promise<number | undefined> {
  const url = output.out.match(/http:\/\/[\w.]+:\d+/g)?.at(-1)
  return fetch(`${url}${address}`).then(
    ({ status }) => status,
    () => undefined,
  )
}

const answers = (server: Launched, address: string) => expect.poll(() => statusOf(server, address)).toBe(200)

describe('octavo start --watch', () => {
  it('follows changes of definitions and of the configuration, also after a mistake, and ends with its server', async () => {
    const server = startWatched()
    await server.url()
    await answers(server, '/one/pages')

    write('content/content-types/tag.json', type('tag'))
    await answers(server, '/one/tags')
    for (const prefix of ['two', 'three']) {
      replace('octavo.config.ts', configuration(prefix))
      await answers(server, `/${prefix}/pages`)
    }
    replace('content/content-types/tag.json', type('label'))
    await answers(server, '/three/labels')

    write('content/content-types/tag.json', '{ "kind": ')
    await expect
      .poll(() => server.output.err)
      .toContain('octavo: the server has ended with 1, and starts again after a change')
    expect(server.output.err).toContain('tag.json')
    write('content/content-types/tag.json', type('mark'))
    await answers(server, '/three/marks')

    await server.stop()
    expect(await statusOf(server, '/three/marks')).toBeUndefined()
  })

  it('leaves no server behind when it is killed', async () => {
    const server = startWatched()
    await server.url()
    await answers(server, '/three/pages')
    server.child.kill('SIGKILL')
    await expect.poll(() => statusOf(server, '/three/pages')).toBeUndefined()
  })
})
