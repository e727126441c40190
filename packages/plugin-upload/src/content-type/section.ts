import type { Octavo } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import { importItems, isId, type SectionHandler } from '@octavo/core/plugin'
import { fileUid } from './file-type.ts'

/** The columns of a data file's item, which are those of the content-type, with the types of their values. */
const columns = {
  id: 'number',
  name: 'text',
  alternativeText: 'text',
  caption: 'text',
  width: 'whole',
  height: 'whole',
  formats: 'json',
  hash: 'text',
  ext: 'text',
  mime: 'text',
  size: 'number',
  url: 'text',
  previewUrl: 'text',
  provider: 'text',
  provider_metadata: 'json',
  folderPath: 'text',
  createdAt: 'date',
  updatedAt: 'date',
} as const

/** The largest number of the columns. */
const largestInteger = 2_147_483_647

const required = ['name', 'hash', 'mime', 'url'] as const

/**
 * The section `files` of a data file: the rows of files, with their ids. The files themselves are copied between providers
 * by other means; their addresses stay the same.
 */
export const filesSection = (octavo: () => Octavo): SectionHandler => ({
  types: [fileUid],
  entriesOf: fileUid,
  keys: Object.keys(columns),
  async import(items, tx) {
    const rows = tx.rows(octavo().registry.contentType(fileUid))
    const now = octavo().store.now().toISOString()
    const set = Object.keys(columns).filter((name) => name !== 'id')
    const files = items.map((item, i) => readFile(item, `files[${i}]`, now))
    const ids = files.map(({ id }) => Number(id))
    const stored = await rows.find({ select: ['id', 'hash'], where: { id: { $in: ids } } })
    const hashes = new Map(stored.map(({ id, hash }) => [id, hash]))
    await importItems('files', files, rows, async (file, at) => {
      // A row without a hash is of `entries`, with the attributes that a project adds.
      const known = hashes.get(file.id) ?? file.hash
      if (known !== file.hash)
        throw new Error(`${at}: the id ${file.id} is that of the file ${JSON.stringify(known)}`)
      await rows.insert(file, { onConflict: { on: ['id'], set } })
    })
  },
  export: (tx) =>
    tx
      .rows(octavo().registry.contentType(fileUid))
      .find({ select: Object.keys(columns), orderBy: { id: 'asc' } }),
})

/** @throws Error with the place and the expected value. */
function readFile(file: unknown, at: string, now: string): Readonly<Record<string, unknown>> {
  if (!isObject(file)) throw new Error(`${at} must be an object`)
  const { id } = file
  if (!isId(id)) throw new Error(`${at}.id must be a whole number from 1`)
  // An import from Strapi takes rows without them, as a null, and a backup must give these back.
  for (const name of required)
    if (file[name] !== null && (typeof file[name] !== 'string' || file[name] === ''))
      throw new Error(`${at}.${name} must be a text`)
  const given = {
    provider: 'local',
    folderPath: '/',
    createdAt: now,
    updatedAt: now,
    ...file,
    size: file.size ?? 0,
  }
  return Object.fromEntries(
    Object.entries(columns).map(([name, type]) => [
      name,
      readValue(given[name as keyof typeof given], type, `${at}.${name}`),
    ]),
  )
}

function readValue(value: unknown, type: (typeof columns)[keyof typeof columns], at: string): unknown {
  if (value === undefined || value === null) return null
  switch (type) {
    case 'json':
      return value
    case 'whole':
      if (Number.isInteger(value) && Math.abs(Number(value)) <= largestInteger) return value
      throw new Error(`${at} must be a whole number of at most ${largestInteger}`)
    case 'number':
      if (typeof value === 'number' && Number.isFinite(value)) return value
      throw new Error(`${at} must be a number`)
    case 'date':
      if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value
      throw new Error(`${at} must be an ISO date`)
    case 'text':
      if (typeof value === 'string') return value
      throw new Error(`${at} must be a text`)
  }
}
