import { type Queryable, type Rows, sql } from '@octavo/core'
import { type OwnTable, type PluginHost, param } from '@octavo/core/plugin'

/** A folder of the media library. Files refer to it by its path, in `folderPath`. */
export interface FolderRow {
  readonly id: number
  readonly name: string
  readonly parent_id: number | null
  /** The ids from the root: `/3/17`. Files outside of all folders have `/`. */
  readonly path: string
  readonly created_at: string
  readonly updated_at: string
}

/** A folder in answers. */
export interface Folder {
  readonly id: number
  readonly name: string
  /** The id of the folder that it is in; `null` at the root. */
  readonly parent: number | null
  readonly path: string
  readonly createdAt: string
  readonly updatedAt: string
}

export type FolderTable = OwnTable<FolderRow>

export const declareFolders = (host: Pick<PluginHost, 'table'>): FolderTable =>
  host.table('octavo_upload_folders', {
    columns: {
      name: { type: 'text' },
      parent_id: { type: 'integer', nullable: true, index: true },
      path: { type: 'text', unique: true },
      created_at: { type: 'timestamp' },
      updated_at: { type: 'timestamp' },
    },
  })

export const folderRows = (db: Queryable, table: FolderTable): Rows<FolderRow> => db.rows(table)

/** The columns of the fields of an answer that a list may be asked for; the id is always there. */
export const folderColumns = {
  name: 'name',
  parent: 'parent_id',
  path: 'path',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Partial<Record<keyof Folder, keyof FolderRow>>

export type FolderField = keyof typeof folderColumns

export const shownFolder = ({ id, name, parent_id, path, created_at, updated_at }: FolderRow): Folder => ({
  id,
  name,
  parent: parent_id,
  path,
  createdAt: created_at,
  updatedAt: updated_at,
})

/** The folder of a path, and all in it. */
export const isWithin = (path: string) =>
  sql`("t"."path" = ${param(path, 'text')} or starts_with("t"."path", ${param(`${path}/`, 'text')}))`
