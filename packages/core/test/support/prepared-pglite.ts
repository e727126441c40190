/**
 * Stands for `@electric-sql/pglite` in the behaviour tests (the alias is in `vitest.config.ts`). The module itself runs
 * initdb for each new database, which takes seconds. Here initdb runs once per run of vitest: the data folder of the
 * first database is written to a file, and every later database, in memory or in a folder, begins with a copy of it.
 * Databases of child processes run initdb as in production, but for those with `prepared-pglite-hook.mjs`.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { PGliteOptions, PGlite as RealPGlite } from '@electric-sql/pglite'

// By its file: the name of the package leads here.
const real = new URL('../../node_modules/@electric-sql/pglite/dist/index.js', import.meta.url)
const module: typeof import('@electric-sql/pglite') = await import(/* @vite-ignore */ real.href)

/** From `run-folder.ts`; without it, each database runs initdb. */
const folder = process.env.OCTAVO_TEST_PGLITE_FOLDER

/** The path of a tar file with the data folder of a new database. */
async function newDataFolder(folder: string): Promise<string> {
  const file = path.join(folder, 'new-database.tar')
  if (!existsSync(file)) {
    const first = await module.PGlite.create('memory://')
    const data = await first.dumpDataDir('none')
    await first.close()
    // Other workers may do the same at this time. None reads half of a file, and the first file stays.
    const mine = `${file}.${randomUUID()}`
    writeFileSync(mine, Buffer.from(await data.arrayBuffer()))
    try {
      linkSync(mine, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    }
    rmSync(mine)
  }
  return file
}

interface Target {
  readonly folder: (path: string) => void
  readonly file: (path: string, data: Uint8Array) => void
}

/**
 * Unpacks a tar of `dumpDataDir`, whose paths begin with a slash. PGlite's own unpacking copies the 40 MB four times, which takes most of the
 * time in which a database begins.
 */
function unpack(tar: Buffer, target: Target): void {
  const text = (from: number, length: number): string =>
    tar.toString('latin1', from, from + length).replace(/\0.*/s, '')
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const name = text(at, 100)
    const size = Number.parseInt(text(at + 124, 12), 8)
    if (text(at + 156, 1) === '5') target.folder(name)
    else target.file(name, tar.subarray(at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
}

/**
 * A file system in memory that has the files of a tar, and takes over their bytes. It does not refer to them itself: PGlite keeps it after its end, and
 * vitest keeps the databases of all files that a worker has run.
 */
function inMemory(tar: string): NonNullable<PGliteOptions['fs']> {
  const fs = new module.MemoryFS()
  const init = fs.init.bind(fs)
  const root = '/pglite/data'
  fs.init = (pglite, options) =>
    init(pglite, {
      ...options,
      preRun: [
        ...(options.preRun ?? []),
        ({ FS }) => {
          FS.mkdirTree(root)
          unpack(readFileSync(tar), {
            folder: (name) => FS.mkdirTree(`${root}${name}`),
            // Emscripten's types do not declare the option.
            file: (name, data) => FS.writeFile(`${root}${name}`, data, { canOwn: true } as object),
          })
        },
      ],
    })
  return fs
}

function inFolder(tar: string, root: string): void {
  unpack(readFileSync(tar), {
    folder: (name) => void mkdirSync(path.join(root, name), { recursive: true }),
    file: (name, data) => writeFileSync(path.join(root, name), data),
  })
}

export const PGlite = {
  defaultStartParams: module.PGlite.defaultStartParams,
  /** @param place `memory://`, or the options of a database in a folder, with its file system */
  async create(place: string | PGliteOptions, options: PGliteOptions = {}): Promise<RealPGlite> {
    const given = typeof place === 'string' ? { ...options, dataDir: place } : place
    if (!folder) return module.PGlite.create(given)
    if (given.dataDir === 'memory://') {
      const { dataDir: _, ...others } = given
      return module.PGlite.create({ ...others, fs: inMemory(await newDataFolder(folder)) })
    }
    const root = rootOf(given)
    if (root !== undefined && !existsSync(path.join(root, 'PG_VERSION')))
      inFolder(await newDataFolder(folder), root)
    return module.PGlite.create(given)
  },
}

/** PGlite's file system of a folder keeps its path in `rootDir`. */
const rootOf = ({ fs }: PGliteOptions): string | undefined =>
  (fs as unknown as { readonly rootDir: string } | undefined)?.rootDir
