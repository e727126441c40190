import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Database, parseDatabaseUrl } from './database-url.ts'

const embedded = (directory?: string): Database => ({ engine: 'pglite', directory })

it.each<[string, Database]>([
  ['memory://', embedded()],
  ['file:./data', embedded(resolve('data'))],
  ['file:../a b', embedded(resolve('../a b'))],
  ['file:/var/data', embedded('/var/data')],
  ['file:///var/a%20b', embedded('/var/a b')],
  ['postgres://me@host/db', { engine: 'postgresql', urls: ['postgres://me@host/db'], findsPrimary: false }],
  [
    'postgresql:///db?host=/run',
    { engine: 'postgresql', urls: ['postgresql:///db?host=/run'], findsPrimary: false },
  ],
  [
    'postgres://me:pass@/db?host=/run',
    { engine: 'postgresql', urls: ['postgres://me:pass@/db?host=/run'], findsPrimary: false },
  ],
  [
    'postgres://me:pa%40ss@a:5432,[::1]:5433/db?sslmode=disable&target_session_attrs=read-write',
    {
      engine: 'postgresql',
      urls: [
        'postgres://me:pa%40ss@a:5432/db?sslmode=disable',
        'postgres://me:pa%40ss@[::1]:5433/db?sslmode=disable',
      ],
      findsPrimary: true,
    },
  ],
  [
    'postgres://a,b/db',
    { engine: 'postgresql', urls: ['postgres://a/db', 'postgres://b/db'], findsPrimary: true },
  ],
  [
    'postgres://a/db?target_session_attrs=read-write',
    { engine: 'postgresql', urls: ['postgres://a/db'], findsPrimary: true },
  ],
  [
    'postgres://a/db?target_session_attrs=any',
    { engine: 'postgresql', urls: ['postgres://a/db'], findsPrimary: false },
  ],
])('%s', (text, database) => {
  expect(parseDatabaseUrl(text)).toEqual(database)
})

describe('A database URL is refused', () => {
  it.each([
    ['postgres://a,b/db?target_session_attrs=any', /target_session_attrs=any/],
    ['postgres://me:secret@a/db?target_session_attrs=standby', /given as replicas/],
    ['postgres://a,,b/db', /empty host/],
    ['postgres://me:secret#1@a/db', /# \/ \? @ and % of a name or password are written %23/],
    ['postgres://me:secret/1@a/db', /are written %23 %2F/],
    ['postgres://me:secret@/1@a/db', /are written %23 %2F/],
    ['postgres://me:secret@a:54x2/db', /postgres:\/\/user:password@host:port\/database/],
  ])('%s', (text, message) => {
    expect(() => parseDatabaseUrl(text)).toThrow(message)
    expect(() => parseDatabaseUrl(text)).not.toThrow(/secret/)
  })
})
