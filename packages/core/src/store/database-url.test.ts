import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { type Database, parseDatabaseUrl } from './database-url.ts'

const embedded = (directory?: string): Database => ({ engine: 'pglite', directory })

it.each<[string, Database]>([
  ['memory://', embedded()],
  ['file:./data', embedded(resolve('data'))],
  ['file:../a b', embedded(resolve('../a b'))],
  ['file:/var/data', embedded('/var/data')],
  ['file:///var/a%20b', embedded('/var/a b')],
  ['postgres://me@host/db', { engine: 'postgresql', url: 'postgres://me@host/db' }],
  ['postgresql:///db?host=/run', { engine: 'postgresql', url: 'postgresql:///db?host=/run' }],
])('%s', (text, database) => {
  expect(parseDatabaseUrl(text)).toEqual(database)
})
