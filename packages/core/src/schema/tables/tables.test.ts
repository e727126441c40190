import { describe, expect, it } from 'vitest'
import { collection, registryOf } from '../../../test/support/registry.ts'
import type { AttributeDefinition } from '../../content-type/definition/definition.ts'
import { constraintName } from './object-names.ts'
import { fingerprintOf, tablesOf } from './tables.ts'
import { uniqueKeys } from './unique-keys.ts'

const relation = (kind: string, target: string, other: object = {}): AttributeDefinition => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...other,
})
const registry = registryOf(
  [
    collection('author', {
      name: { type: 'string', unique: true },
      books: relation('oneToMany', 'book', { mappedBy: 'author' }),
    }),
    collection('book', {
      slug: { type: 'uid' },
      price: { type: 'decimal' },
      author: relation('manyToOne', 'author', { inversedBy: 'books' }),
      similar: relation('manyToMany', 'book'),
      quotes: { type: 'component', component: 'a.quote', repeatable: true },
    }),
  ],
  [{ uid: 'a.quote', attributes: { text: { type: 'text' } } }],
)
const table = (label: string) => {
  const found = tablesOf(registry).find((table) => table.label === label)
  if (!found) throw new Error(`no table for ${label}`)
  return found
}

describe('tablesOf', () => {
  it('makes one table per content-type, component and join', () => {
    expect(tablesOf(registry).map(({ label }) => label)).toEqual([
      'api::author.author',
      'api::book.book',
      'a.quote',
      'api::book.book.similar',
    ])
  })

  it('makes every content column nullable; foreign keys are set to null on delete', () => {
    const { columns, indexes } = table('api::book.book')
    expect(columns.filter(({ nullable }) => !nullable)).toEqual([])
    expect(columns.find(({ references }) => references)).toMatchObject({
      name: 'author_id',
      references: { table: 'authors', onDelete: 'set null' },
    })
    expect(indexes).toContainEqual({ columns: ['author_id', 'author_position'], unique: false })
  })

  it('indexes components by their owner', () => {
    expect(table('a.quote').indexes).toEqual([
      { name: 'owner', columns: ['owner_id', 'owner_type', 'field', 'position'], unique: false },
    ])
  })

  it('indexes the other side of a join in read order', () => {
    const twoWay = registryOf([
      collection('tag', { books: relation('manyToMany', 'book', { mappedBy: 'tags' }) }),
      collection('book', { tags: relation('manyToMany', 'tag', { inversedBy: 'books' }) }),
    ])
    const join = tablesOf(twoWay).find(({ label }) => label === 'api::book.book.tags')
    expect(join?.indexes).toEqual([{ columns: ['target_id', 'inverse_position'], unique: false }])
    expect(table('api::book.book.similar').indexes).toEqual([{ columns: ['target_id'], unique: false }])
  })

  it('deletes join rows with either entry, and stores each pair once', () => {
    const { primaryKey, columns } = table('api::book.book.similar')
    expect(primaryKey).toHaveLength(2)
    const keys = columns.filter(({ references }) => references)
    expect(keys.map(({ references }) => references?.onDelete)).toEqual(['cascade', 'cascade'])
  })
})

const uniqueColumns = (model: Parameters<typeof uniqueKeys>[0]) =>
  uniqueKeys(model).map(({ attribute }) => attribute.column)

describe('uniqueKeys', () => {
  it('returns unique attributes and uids', () => {
    expect(uniqueColumns(registry.model('api::author.author'))).toEqual(['name'])
    expect(uniqueColumns(registry.model('api::book.book'))).toEqual(['slug'])
  })

  it('leaves out uids with unique: false', () => {
    const scoped = registryOf([collection('book', { slug: { type: 'uid', unique: false } })])
    expect(uniqueColumns(scoped.model('api::book.book'))).toEqual([])
  })
})

describe('fingerprintOf', () => {
  it('is equal for equal tables and differs for others', () => {
    const tables = tablesOf(registry)
    expect(fingerprintOf(tables)).toBe(fingerprintOf(structuredClone(tables)))
    expect(fingerprintOf(tables)).not.toBe(fingerprintOf(tables.slice(1)))
  })
})

describe('constraintName', () => {
  it('is at most 63 bytes long and distinct', () => {
    const long = 'a'.repeat(70)
    const names = [constraintName(long, 'b', 'index'), constraintName(long, 'c', 'index')]
    for (const name of names) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
      expect(name).toMatch(/_index$/)
    }
    expect(names[0]).not.toBe(names[1])
    expect(constraintName('books', 'isbn', 'unique')).toBe('books_isbn_unique')
  })
})
