import { describe, expect, it } from 'vitest'
import { identifier, snakeCase } from './identifier.ts'

describe('snake_case', () => {
  it.each([
    ['title', 'title'],
    ['metaTitle', 'meta_title'],
    ['HTTPServer', 'http_server'],
    ['h1Title', 'h1_title'],
    ['reading-list', 'reading_list'],
    ['already_so', 'already_so'],
    ['ID', 'id'],
  ])('of %s is %s', (name, expected) => {
    expect(snakeCase(name)).toBe(expected)
  })
})

describe('an identifier', () => {
  it('joins its parts', () => {
    expect(identifier('articles', 'categories', 'links')).toBe('articles_categories_links')
  })

  it('is at most 63 bytes long, deterministic, and different for different parts', () => {
    const long = 'a'.repeat(60)
    expect(identifier(long, 'id')).toBe(`${long}_id`)
    const [cut, again, other] = [
      identifier(long, 'links'),
      identifier(long, 'links'),
      identifier(long, 'linkz'),
    ]
    expect(cut).toMatch(/^a{54}_[0-9a-f]{8}$/)
    expect(again).toBe(cut)
    expect(other).not.toBe(cut)
    expect(other).toHaveLength(63)
  })
})
