import { describe, expect, it } from 'vitest'
import { parse, refusal } from '../../test/support/parsed.ts'

describe('fields', () => {
  const names = (query: string) => {
    const { fields } = parse(query)
    return typeof fields === 'object' ? fields.map(({ name }) => name) : fields
  }

  it.each([
    ['fields=title', ['title']],
    ['fields[0]=title&fields[1]=id', ['title', 'id']],
    ['fields[]=title&fields[]=id', ['title', 'id']],
    ['fields=title&fields=id', ['title', 'id']],
    ['fields=*', '*'],
    ['fields[0]=*', '*'],
    ['fields[0]=*&fields[1]=*', '*'],
    ['fields[0]=title&fields[1]=*', ['title', '*']],
    ['fields=title,id', ['title,id']],
    ['fields=constructor', ['constructor']],
    ['sort=id', undefined],
    ['fields=%20title', ['title']],
    ['fields[]=title%20&fields[]=+id', ['title', 'id']],
    ['fields=%20*', '*'],
  ])('%s', (query, expected) => {
    expect(names(query)).toEqual(expected)
  })

  it('records the place of each name', () => {
    expect(parse('fields=a').fields).toEqual([{ name: 'a', at: 'fields' }])
    expect(parse('fields[3]=a&fields[5]=b').fields).toEqual([
      { name: 'a', at: 'fields[0]' },
      { name: 'b', at: 'fields[1]' },
    ])
  })

  it.each([
    ['fields[title]=1', 'fields'],
    ['fields=', 'fields'],
    ['fields=%20', 'fields'],
    ['fields[]=', 'fields[0]'],
    ['fields[0]=title&fields[1]=', 'fields[1]'],
    ['populate[a][fields]=', 'populate[a][fields]'],
    ['fields[0][a]=1', 'fields[0]'],
    ['fields=a&fields[b]=1', 'fields[1]'],
    ['fields[__proto__]=1', 'fields'],
  ])('%s is refused', (query, at) => {
    expect(refusal(query)).toBe(`400 query/bad-fields ${at}: expected a name, a list of names or *.`)
  })
})
