/** `octavo media check` beside uploads, replacements, deletions and another check: it removes nothing that is referenced, and reports what is so. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { localDisk, type StorageProvider, s3 } from '../src/index.ts'
import { form, openSite, picture, type Site } from './site.ts'

// Pictures are made in processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.each(['disk', 'bucket'])('octavo media check of a %s', (kind) => {
  let folder: string
  let bucket: S3rver | undefined
  let storage: StorageProvider
  let site: Site
  /** The keys that are older than they seem: the clock of a bucket cannot be set. */
  const old = new Set<string>()
  /** Work before a method of the storage goes on. */
  let before: {
    put?: (key: string) => Promise<void>
    delete?: (key: string) => Promise<void>
    begin?: () => Promise<void>
    end?: () => Promise<void>
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
    storage = kind === 'disk' ? localDisk({ folder: path.join(folder, 'files') }) : await openBucket()
    old.clear()
    before = {}
    site = await openSite({ provider: changed() })
  })
  afterEach(async () => {
    await site.close()
    await bucket?.close()
    bucket = undefined
    await rm(folder, { recursive: true, force: true })
  })

  async function openBucket(): Promise<StorageProvider> {
    const configureBuckets = [{ name: 'media', configs: [] }]
    bucket = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder, configureBuckets })
    const { port } = await bucket.run()
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
    const client = {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials,
    }
    return s3({ bucket: 'media', signedUrls: 60, client })
  }

  const changed = (): StorageProvider => ({
    ...storage,
    async *list(prefix) {
      await before.begin?.()
      for await (const file of storage.list(prefix))
        yield { ...file, ...(old.has(file.key) && { modified: new Date(1) }) }
      await before.end?.()
    },
    async put(key, file) {
      await before.put?.(key)
      await storage.put(key, file)
    },
    async delete(key) {
      await before.delete?.(key)
      await storage.delete(key)
    },
  })

  const keys = async (): Promise<readonly string[]> => {
    const found: string[] = []
    for await (const { key } of storage.list('')) found.push(key)
    return found.sort()
  }
  /** Stores a file without a row, long ago. */
  const stray = async (key: string): Promise<void> => {
    const arriving = path.join(folder, `arriving-${key}`)
    await writeFile(arriving, 'stray')
    await storage.put(key, { path: arriving, mime: 'text/plain', size: 5 })
    await rm(arriving, { force: true })
    old.add(key)
  }
  const check = async (...flags: string[]) => {
    const lines: string[] = []
    const command = site.server.octavo.commands.get('media check')
    const isFine = await command?.run(site.server.octavo, new Set(flags), (line) => lines.push(line))
    return { isFine, lines }
  }
  const upload = async (name: string, content: string | Uint8Array, id?: number) => {
    const query = id === undefined ? '' : `?id=${id}`
    const { status, body } = await site.api.post(`/api/upload${query}`, { body: form([{ name, content }]) })
    expect(status).toBe(200)
    return id === undefined ? body[0] : body
  }
  const agree = { isFine: true, lines: ['Files and rows agree'] }

  it('does not report what is uploaded, replaced or deleted while it lists the files', async () => {
    const change = async () => {
      const [kept, gone] = [await upload('a.txt', 'kept'), await upload('b.txt', 'gone')]
      for (const key of await keys()) old.add(key)
      return async () => {
        await upload('c.txt', 'new')
        await upload('a.md', '# replaced', kept.id)
        await site.api.delete(`/api/upload/files/${gone.id}`)
      }
    }
    const [atBegin, atEnd] = [[await change()], [await change()]]
    before.begin = async () => atBegin.shift()?.()
    before.end = async () => atEnd.shift()?.()
    const arriving = 'Files without a row, less than an hour old, which may be arriving: '
    const { isFine, lines } = await check('delete')
    expect([isFine, lines.at(-1)]).toEqual([true, expect.stringMatching(/iles and rows agree$/)])
    expect(lines.slice(0, -1).filter((line) => !line.startsWith(arriving))).toEqual([])
    expect((await keys()).length).toBe(4)
    expect(await check()).toEqual(agree)
  })

  it.each([
    ['a', 'a.txt'],
    // The readable part of its hash is empty.
    ['a name without Latin letters', '\u{1f3d4}.txt'],
  ])('removes no file of %s that becomes that of a row before its removal', async (_, name) => {
    const file = await upload(name, 'text')
    // As a replacement leaves it that is killed before its row is written.
    const left = [`${file.hash}.png`, `small_${file.hash}.png`, 'stray.txt']
    for (const key of left) await stray(key)
    const [stored, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    before.put = async (key) => {
      if (key !== `thumbnail_${file.hash}.png`) return
      stored.resolve()
      await goesOn.promise
    }
    const content = await picture(600, 600)
    let replacing: Promise<unknown> | undefined
    let looks = 0
    before.end = async () => {
      looks += 1
      // The check has seen twice by then that no row has them.
      if (looks !== 2) return
      replacing = upload('b.png', content, file.id)
      await stored.promise
      setImmediate(async () => {
        // Time for a removal that does not wait.
        for (let round = 0; round < 20; round++) await site.server.octavo.store.ping()
        goesOn.resolve()
      })
    }
    const { lines } = await check('delete')
    expect(await replacing).toMatchObject({ ext: '.png' })
    expect(lines).toEqual(['stray.txt: a file without a row (5 bytes); removed', ...agree.lines])
    const referenced = [`${file.hash}.png`, `small_${file.hash}.png`, `thumbnail_${file.hash}.png`]
    expect(await keys()).toEqual(referenced.sort())
    before = {}
    expect(await check()).toEqual(agree)
  })

  it('removes no file of a row that an import writes meanwhile', async () => {
    const imported = ['one_1f00dcafe5.txt', 'two_1f00dcafe5.txt']
    for (const key of imported) await stray(key)
    let other: string | undefined
    before.delete = async (key) => {
      other ??= imported.find((one) => one !== key)
      await site.server.octavo.store.query(
        `insert into "files" ("name", "hash", "ext", "mime", "size", "url", "provider")
         values ('a', $1, '.txt', 'text/plain', 1, '/a', $2)`,
        [path.basename(other ?? '', '.txt'), storage.name],
      )
    }
    const { lines } = await check('delete')
    expect(await keys()).toEqual([other])
    expect(lines.filter((line) => line.includes(other ?? ''))).toEqual([])
  })

  it('may run several times at once, beside uploads, replacements and deletions', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `stray_${i}.txt`)
    for (const name of names) await stray(name)
    const file = await upload('a.txt', 'first')
    let isDone = false
    const busy = async (): Promise<void> => {
      for (let round = 0; !isDone; round++) {
        const { id } = await upload('b.txt', `text ${round}`)
        await upload(round % 2 === 0 ? 'c.md' : 'c.txt', `# text ${round}`, file.id)
        await site.api.delete(`/api/upload/files/${id}`)
      }
    }
    const working = busy()
    const checks = await Promise.all([check('delete'), check('delete'), check('delete')])
    isDone = true
    await working
    expect(checks.map(({ isFine }) => isFine)).toEqual([true, true, true])
    const removed = new Set(checks.flatMap(({ lines }) => lines.filter((line) => line.endsWith('; removed'))))
    expect([...removed].sort()).toEqual(
      names.map((name) => `${name}: a file without a row (5 bytes); removed`).sort(),
    )
    expect(await check()).toEqual(agree)
  })
})
