import type { Octavo } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import { importItems, isId, type SectionHandler } from '@octavo/core/plugin'
import { readFolderName } from './input.ts'
import { type FolderTable, folderRows } from './table.ts'

interface Item {
  readonly id: number
  readonly name: string
  readonly parent: number | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The section `folders` of a data file: `{ id, name, parent }`. Paths follow from it. */
export const foldersSection = (octavo: () => Octavo, table: FolderTable): SectionHandler => ({
  async import(items, tx) {
    const now = octavo().store.now().toISOString()
    const folders = items.map((item, i) => readItem(item, `folders[${i}]`, now))
    const byId = new Map(folders.map((folder) => [folder.id, folder]))
    const rows = folderRows(tx, table)
    await importItems('folders', folders, rows, async (folder, at) => {
      const { id, name, parent, createdAt: created_at, updatedAt: updated_at } = folder
      const path = pathOf(folder, byId)
      const known = await rows.first({ where: { id }, select: ['name', 'created_at'] })
      // A folder that was renamed since has its time.
      if (known && known.name !== name && Date.parse(String(known.created_at)) !== Date.parse(created_at))
        throw new Error(`${at}: the id ${id} is that of the folder ${JSON.stringify(known.name)}`)
      const row = { id, name, parent_id: parent, path, created_at, updated_at }
      await rows.insert(row, { onConflict: { on: ['id'], set: ['name', 'parent_id', 'path', 'updated_at'] } })
    })
  },
  async export(tx) {
    const rows = await folderRows(tx, table).find({ orderBy: { id: 'asc' } })
    return rows.map(({ id, name, parent_id, created_at, updated_at }) => ({
      id,
      name,
      parent: parent_id,
      createdAt: created_at,
      updatedAt: updated_at,
    }))
  },
})

/** @throws Error for a folder that is in itself, or whose parent is missing. */
function pathOf(folder: Item, byId: ReadonlyMap<number, Item>): string {
  const ids: number[] = []
  for (let at: Item | undefined = folder; at; ) {
    if (ids.includes(at.id)) throw new Error(`folders: ${folder.id} is in itself`)
    ids.unshift(at.id)
    if (at.parent === null) break
    const parent: Item | undefined = byId.get(at.parent)
    if (!parent) throw new Error(`folders: ${at.id} is in ${at.parent}, which is missing`)
    at = parent
  }
  return ids.map((id) => `/${id}`).join('')
}

/** @throws Error with the place and the expected value. */
function readItem(item: unknown, at: string, now: string): Item {
  if (!isObject(item)) throw new Error(`${at} must be an object`)
  const { id, name, parent = null, createdAt, updatedAt } = item
  if (!isId(id)) throw new Error(`${at}.id must be a whole number from 1`)
  if (parent !== null && !isId(parent)) throw new Error(`${at}.parent must be an id or null`)
  const time = (value: unknown, key: string): string => {
    if (value === undefined || value === null) return now
    if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value
    throw new Error(`${at}.${key} must be an ISO date`)
  }
  return {
    id,
    name: nameOf(name, at),
    parent,
    createdAt: time(createdAt, 'createdAt'),
    updatedAt: time(updatedAt, 'updatedAt'),
  }
}

/** @throws Error with the place and the expected value. */
function nameOf(name: unknown, at: string): string {
  try {
    return readFolderName(name)
  } catch (error) {
    throw new Error(`${at}.${(error as Error).message}`, { cause: error })
  }
}
