import { describe, expect, it } from 'vitest'
import { parse, refusal } from '../../test/support/parsed.ts'

const terms = (query: string) =>
  parse(query).sort.map(({ path, direction }) => `${path.join('.')} ${direction}`)

describe('sort', () => {
  it.each([
    ['sort=title', ['title asc']],
    ['sort=title:desc', ['title desc']],
    ['sort=title:DESC', ['title desc']],
    ['sort=title:Asc', ['title asc']],
    ['sort=price:asc,id:desc', ['price asc', 'id desc']],
    ['sort=price:asc, id : desc', ['price asc', 'id desc']],
    ['sort=%20title', ['title asc']],
    ['sort[]=title%20:desc%20&sort[%20author][+name]=asc', ['title desc', 'author.name asc']],
    ['sort[0]=price:desc&sort[1]=id', ['price desc', 'id asc']],
    ['sort[1]=id&sort[0]=price:desc', ['price desc', 'id asc']],
    ['sort[]=open:desc&sort[]=id', ['open desc', 'id asc']],
    ['sort=open:desc&sort=id', ['open desc', 'id asc']],
    ['sort[0]=a,b:desc&sort[1]=c', ['a asc', 'b desc', 'c asc']],
    ['sort[price]=desc&sort[id]=asc', ['price desc', 'id asc']],
    ['sort[0][price]=desc&sort[1][id]=ASC', ['price desc', 'id asc']],
    ['sort=author.name', ['author.name asc']],
    ['sort[author][name]=desc', ['author.name desc']],
    ['sort[author.name]=desc', ['author.name desc']],
    ['sort[0][author][mentor.name]=desc', ['author.mentor.name desc']],
    ['sort[author][0][name]=desc&sort[author][1][id]=asc', ['author.name desc', 'author.id asc']],
    ['sort=a&sort[b]=desc', ['a asc', 'b desc']],
    ['sort[0]=a&sort[b]=desc', ['a asc', 'b desc']],
    ['sort=', []],
    ['sort=,', []],
    ['sort[0]=', []],
    ['sort[]=&sort[]=id', ['id asc']],
    ['sort=__proto__', ['__proto__ asc']],
    ['sort[__proto__]=desc', ['__proto__ desc']],
    ['sort[a:b]=desc', ['a:b desc']],
    ['sort=%F0%9F%98%80:desc', ['😀 desc']],
  ])('%s', (query, expected) => {
    expect(terms(query)).toEqual(expected)
  })

  it('records the place of each term', () => {
    expect(parse('sort=a,b').sort.map(({ at }) => at)).toEqual(['sort', 'sort'])
    expect(parse('sort[0]=a&sort[1][author][name]=desc').sort.map(({ at }) => at)).toEqual([
      'sort[0]',
      'sort[1][author][name]',
    ])
  })

  it.each([
    ['sort=name:asc:desc', 'sort: "name:asc:desc" is not a sort term; write name, name:asc or name:desc.'],
    ['sort=name:up', 'sort: "name:up" is not a sort term; write name, name:asc or name:desc.'],
    ['sort[1]=name:', 'sort[0]: "name:" is not a sort term; write name, name:asc or name:desc.'],
    ['sort=:desc', 'sort: "" is not a sort term; write name, name:asc or name:desc.'],
    ['sort=author..name', 'sort: "author..name" is not a sort term; write name, name:asc or name:desc.'],
    ['sort=.', 'sort: "." is not a sort term; write name, name:asc or name:desc.'],
    ['sort[name]=up', 'sort[name]: "name:up" is not a sort term; write name, name:asc or name:desc.'],
    ['sort[name]=', 'sort[name]: "name:" is not a sort term; write name, name:asc or name:desc.'],
    [
      'sort[author][name]=asc,desc',
      'sort[author][name]: "author.name:asc,desc" is not a sort term; write name, name:asc or name:desc.',
    ],
  ])('%s is refused', (query, message) => {
    expect(refusal(query)).toBe(`400 query/bad-sort ${message}`)
  })

  it('is limited to 50 terms', () => {
    const names = Array.from({ length: 50 }, (_, i) => `a${i}`)
    expect(parse(`sort=${names}`).sort).toHaveLength(50)
    expect(refusal(`sort=${names},b`)).toBe(
      '400 query/list-too-long sort: a list may have at most 50 elements.',
    )
  })
})
