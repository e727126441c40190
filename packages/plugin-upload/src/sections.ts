import type { Bindable, SectionHandler, Transaction } from '@octavo/core'
import { fileUid } from './content-type.ts'

/** Columns of the table `files` and how an item of a data file names them. */
const columns = [
  ['name', 'name', 'text'],
  ['alternative_text', 'alternativeText', 'text'],
  ['caption', 'caption', 'text'],
  ['width', 'width', 'integer'],
  ['height', 'height', 'integer'],
  ['formats', 'formats', 'jsonb'],
  ['hash', 'hash', 'text'],
  ['ext', 'ext', 'text'],
  ['mime', 'mime', 'text'],
  ['size', 'size', 'numeric'],
  ['url', 'url', 'text'],
  ['preview_url', 'previewUrl', 'text'],
  ['provider', 'provider', 'text'],
  ['provider_metadata', 'provider_metadata', 'jsonb'],
  ['folder_path', 'folderPath', 'text'],
  ['created_at', 'createdAt', 'timestamptz'],
  ['updated_at', 'updatedAt', 'timestamptz'],
] as const

const required = ['name', 'hash', 'mime', 'url'] as const

/**
 * The section `files` of a data file: what is known of files, with their ids. The bytes themselves are copied from provider
 * to provider by other means; their addresses stay as they are.
 */
export const filesSection: SectionHandler = {
  types: [fileUid],
  async import(items, tx) {
    for (const [i, item] of items.entries()) await importFile(item, `files[${i}]`, tx)
    await tx.query(
      `select setval(pg_get_serial_sequence('files', 'id'), greatest((select max("id") from "files"), 1))`,
    )
  },
  async export(tx) {
    const pairs = columns.map(([column, name, type]) =>
      type === 'timestamptz'
        ? `'${name}', to_char("${column}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : `'${name}', "${column}"`,
    )
    const rows = await tx.query(
      `select json_build_object('id', "id", ${pairs.join(', ')})::text from "files" order by "id"`,
    )
    return rows.map(([text]) => JSON.parse(String(text)) as unknown)
  },
}

async function importFile(item: unknown, at: string, tx: Transaction): Promise<void> {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new Error(`${at} must be an object`)
  const file = item as Readonly<Record<string, unknown>>
  const { id } = file
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 1)
    throw new Error(`${at}.id must be a whole number from 1`)
  for (const name of required)
    if (typeof file[name] !== 'string' || file[name] === '') throw new Error(`${at}.${name} must be a text`)
  const given: Readonly<Record<string, unknown>> = {
    provider: 'local',
    folderPath: '/',
    createdAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
    ...file,
    size: file.size ?? 0,
  }
  const values = columns.map(([, name, type]) => readValue(given[name], type, `${at}.${name}`))
  const names = columns.map(([column]) => `"${column}"`)
  const casts = columns.map(([, , type], i) => `$${i + 2}::${type}`)
  const changes = names.map((name) => `${name} = excluded.${name}`)
  await tx.query(
    `insert into "files" ("id", ${names.join(', ')}) values ($1::int4, ${casts.join(', ')}) on conflict ("id") do update set ${changes.join(', ')}`,
    [id, ...values],
  )
}

function readValue(value: unknown, type: (typeof columns)[number][2], at: string): Bindable {
  if (value === undefined || value === null) return null
  switch (type) {
    case 'jsonb':
      return JSON.stringify(value)
    case 'integer':
    case 'numeric':
      if (typeof value === 'number' && Number.isFinite(value)) return value
      throw new Error(`${at} must be a number`)
    case 'timestamptz':
      if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value
      throw new Error(`${at} must be an ISO date`)
    case 'text':
      if (typeof value === 'string') return value
      throw new Error(`${at} must be a text`)
  }
}
