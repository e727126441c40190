/**
 * Stands for `@electric-sql/pglite` in the behaviour tests (the alias is in `vitest.config.ts`). The module itself runs
 * initdb for each new database, which takes seconds. Here initdb runs once per run of vitest: the data folder of the
 * first database is written to a file, and every later database, in memory or in a folder, starts from a copy of it.
 * Databases of child processes run initdb as in production, but for those with `prepared-pglite-hook.mjs`.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { PGliteOptions, PGlite as RealPGlite } from '@electric-sql/pglite'

// By its file: the name of the package leads here.
const real = new URL('../../node_modules/@electric-sql/pglite/dist/index.js', import.meta.url)
const module: typeof import('@electric-sql/pglite') = await import(/* @vite-ignore */ real.href)

/** From `run-folder.ts`; without it, each database runs initdb. */
const folder = process.env.OCTAVO_TEST_PGLITE_FOLDER

/** The data folder of a new database, as a tar file. */
async function newDataFolder(folder: string): Promise<Blob> {
  const file = path.join(folder, 'new-database.tar')
  if (!existsSync(file)) {
    const first = await module.PGlite.create('memory://')
    const data = await first.dumpDataDir('none')
    await first.close()
    // Other workers may do the same at this time. None reads half of a file, and the first file stays: a blob of a file that another one
    // has replaced cannot be read.
    const mine = `${file}.${randomUUID()}`
    writeFileSync(mine, Buffer.from(await data.arrayBuffer()))
    try {
      linkSync(mine, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    }
    rmSync(mine)
  }
  return openAsBlob(file)
}

export const PGlite = {
  defaultStartParams: module.PGlite.defaultStartParams,
  /** @param place `memory://`, or the options of a database in a folder, with its file system */
  async create(place: string | PGliteOptions, options: PGliteOptions = {}): Promise<RealPGlite> {
    const given = typeof place === 'string' ? { ...options, dataDir: place } : place
    const loadDataDir = folder && isNew(given) ? await newDataFolder(folder) : undefined
    return module.PGlite.create({ ...given, ...(loadDataDir && { loadDataDir }) })
  },
}

/** PGlite's file system of a folder keeps its path in `rootDir`. */
function isNew({ dataDir, fs }: PGliteOptions): boolean {
  if (dataDir !== undefined) return dataDir === 'memory://'
  const { rootDir } = fs as unknown as { readonly rootDir: string }
  return !existsSync(path.join(rootDir, 'PG_VERSION'))
}
