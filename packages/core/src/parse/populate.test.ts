import { describe, expect, it } from 'vitest'
import { outline, parse, refusal } from '../../test/support/parsed.ts'
import type { RawChild, RawPopulate } from './raw.ts'

const populate = (query: string) => outline(parse(query).populate)

describe('populate', () => {
  it.each([
    ['populate=', {}],
    ['populate=*', { '*': true }],
    ['populate[0]=*', { '*': true }],
    ['populate=author', { author: true }],
    ['populate=author,cover', { author: true, cover: true }],
    ['populate=author, cover,', { author: true, cover: true }],
    ['populate=*,author.avatar', { '*': true, author: { avatar: true } }],
    ['populate=author.*', { author: { '*': true } }],
    ['populate=seo.social.image', { seo: { social: { image: true } } }],
    ['populate[0]=author&populate[1]=seo.image', { author: true, seo: { image: true } }],
    ['populate[]=author&populate[]=seo', { author: true, seo: true }],
    ['populate=author&populate=seo', { author: true, seo: true }],
    ['populate[author]=true', { author: true }],
    ['populate[author]=*', { author: true }],
    ['populate[author]=1', { author: true }],
    ['populate[author]=false', { author: false }],
    ['populate[author]=0', { author: false }],
    ['populate[author]=', {}],
    [
      'populate[author][populate]=avatar,mentor.avatar',
      { author: { avatar: true, mentor: { avatar: true } } },
    ],
    ['populate[author][populate][0]=avatar', { author: { avatar: true } }],
    ['populate[author][populate][avatar]=true', { author: { avatar: true } }],
    ['populate[blocks][populate]=*,buttons.link', { blocks: { '*': true, buttons: { link: true } } }],
    ['populate[author][fields]=name', { author: { '[fields]': 'name' } }],
    [
      'populate[author][fields][0]=name&populate[author][fields][1]=email',
      { author: { '[fields]': 'name,email' } },
    ],
    ['populate[a][sort]=name:desc,id', { a: { '[sort]': 'name:desc,id:asc' } }],
    ['populate[a][filters][name][$eq]=x', { a: { '[filters]': 'name.$eq x' } }],
    [
      'populate[a][start]=1&populate[a][limit]=2',
      { a: { '[page]': { kind: 'offset', start: 1, limit: 2 } } },
    ],
    ['populate[a][pageSize]=2', { a: { '[page]': { kind: 'page', pageSize: 2 } } }],
    ['populate[a][pagination][pageSize]=1', { a: true }],
    ['populate[a][unknown]=1&populate[a][__component]=x', { a: true }],
    ['populate[a][__proto__]=1', { a: true }],
    ['populate[a][count]=true', { a: { '[count]': true } }],
    ['populate[a][count]=0', { a: true }],
    [
      'populate[z][on][blocks.hero]=true&populate[z][on][blocks.quote][fields]=text',
      { z: { '[on]': { 'blocks.hero': true, 'blocks.quote': { '[fields]': 'text' } } } },
    ],
    ['populate[z][on][blocks.hero]=false', { z: { '[on]': { 'blocks.hero': true } } }],
    ['populate[z][on][blocks.hero]=', { z: { '[on]': { 'blocks.hero': true } } }],
    ['populate[z][on]=', { z: true }],
    ['populate=true', { true: true }],
    ['populate=false', { false: true }],
    ['populate=**', { '**': true }],
    ['populate=deep', { deep: true }],
    ['populate[fields][0]=name', { fields: true }],
    ['populate[*]=true', { '*': true }],
    ['populate[seo.image]=true', { 'seo.image': true }],
    ['populate=__proto__,constructor.prototype', { ['__proto__']: true, constructor: { prototype: true } }],
    ['populate=a..b', { a: true }],
    ['populate=.', {}],
  ])('%s', (query, expected) => {
    expect(populate(query)).toEqual(expected)
  })

  it('of text and brackets, in either order, is the union', () => {
    const forms: [string[], unknown][] = [
      [['populate[blocks][populate]=a', 'populate=loc'], { blocks: { a: true }, loc: true }],
      [['populate=loc', 'populate[h]=*'], { loc: true, h: true }],
      [['populate[0]=cover', 'populate[seo]=true'], { cover: true, seo: true }],
      [
        ['populate=a', 'populate[a][fields]=x', 'populate=a.b', 'populate[a][populate][c]=true'],
        { a: { '[fields]': 'x', b: true, c: true } },
      ],
      [
        ['populate[a][fields]=x', 'populate[0][a][fields]=y'],
        { a: { '[fields]': expect.toBeOneOf(['x,y', 'y,x']) } },
      ],
      [['populate[a][fields]=x', 'populate[0][a][fields]=*'], { a: { '[fields]': '*' } }],
      [['populate[a]=true', 'populate[a][limit]=1'], { a: { '[page]': { kind: 'offset', limit: 1 } } }],
      [['populate=z', 'populate[z][on][b.c]=true', 'populate[z]=*'], { z: { '[on]': { 'b.c': true } } }],
      [['populate=*', 'populate[a]=false'], { '*': true, a: false }],
      [['populate=a.b', 'populate[a]=false', 'populate[a][limit]=1'], { a: false }],
    ]
    for (const [parts, expected] of forms) {
      expect(populate(parts.join('&'))).toEqual(expected)
      expect(populate(parts.toReversed().join('&'))).toEqual(expected)
    }
  })

  it('joins the filters of one place with and', () => {
    expect(populate('populate[0][a][filters][x]=1&populate[1][a][filters][y]=2')).toEqual({
      a: { '[filters]': '(x.$eq 1 and y.$eq 2)' },
    })
  })

  /** @throws when the place is absent or excluded. */
  const placeIn = (populate: RawPopulate, name: string): RawChild => {
    const place = populate.named.get(name)
    if (place) return place
    throw new Error(`${name} is not populated.`)
  }

  it('records where each place was named first', () => {
    const { populate } = parse('populate[0]=a.b&populate[c][populate]=d&populate[1][c]=true')
    expect(placeIn(populate, 'a').at).toBe('populate[0]')
    expect(placeIn(placeIn(populate, 'a').populate, 'b').at).toBe('populate[0]')
    expect(placeIn(populate, 'c').at).toBe('populate[1][c]')
    expect(placeIn(placeIn(populate, 'c').populate, 'd').at).toBe('populate[c][populate]')
  })

  it('parses the parameters that plugins declared for every place', () => {
    const params = new Map([
      ['locale', { scope: 'own' as const }],
      ['state', { scope: 'inherit' as const }],
      ['meta', { scope: 'root' as const }],
      ['plain', {}],
    ])
    const query =
      'populate[a][locale]=fr&populate[a][state][]=x&populate[a][meta]=1&populate[a][plain]=1&populate[a][other]=1'
    expect(outline(parse(query, { params }).populate)).toEqual({
      a: { '[params]': { locale: 'fr', state: ['x'] } },
    })
    const place = placeIn(parse(query, { params }).populate, 'a')
    expect(place.params.get('locale')?.at).toBe('populate[a][locale]')
  })

  it.each([
    [
      'populate[z][on]=x',
      '400 query/bad-populate populate[z][on]: expected components in brackets, such as [category.name]=true, not "x".',
    ],
    [
      'populate[z][on][0]=x',
      '400 query/bad-populate populate[z][on]: expected components in brackets, such as [category.name]=true, not "["x"]".',
    ],
    [
      'populate[a][count]=many',
      '400 query/bad-populate populate[a][count]: expected true, 1, t, false, 0 or f, not "many".',
    ],
    [
      'populate[a][limit]=x',
      '400 query/bad-paging populate[a][limit]: expected a whole number of at most 9007199254740991, not "x".',
    ],
    [
      'populate[a][limit]=1&populate[a][page]=1',
      '400 query/mixed-paging populate[a]: use page with pageSize, or start with limit, not both.',
    ],
    [
      'populate[0][a][limit]=1&populate[1][a][page]=1',
      '400 query/mixed-paging populate[1][a]: use page with pageSize, or start with limit, not both.',
    ],
    [
      'populate[a][sort]=:',
      '400 query/bad-sort populate[a][sort]: "" is not a sort term; write name, name:asc or name:desc.',
    ],
    [
      'populate[a][populate][b][filters]=x',
      '400 query/bad-filter populate[a][populate][b][filters]: expected conditions, such as [name][$eq]=value, not "x".',
    ],
    [
      'populate[a]=false&populate[a][limit]=x',
      '400 query/bad-paging populate[a][1][limit]: expected a whole number of at most 9007199254740991, not "x".',
    ],
  ])('%s is refused', (query, message) => {
    expect(refusal(query)).toBe(message)
  })

  it('is limited to 20 levels, in dots and brackets', () => {
    const path = Array(20).fill('a')
    expect(parse(`populate=${path.join('.')}`).populate.named.size).toBe(1)
    expect(refusal(`populate=b&populate=${path.join('.')}.b`)).toBe(
      '400 query/populate-too-deep populate[1]: populate goes deeper than 20 levels.',
    )
    expect(parse(`populate${'[a][populate]'.repeat(19)}=a`).populate.named.size).toBe(1)
    expect(refusal(`populate${'[a][populate]'.repeat(19)}=a.a`)).toMatch('query/populate-too-deep')
  })

  it('is limited to 500 places, each counted once', () => {
    const names = Array.from({ length: 500 }, (_, i) => `a${i}`).join()
    expect(parse(`populate=${names},${names}`).populate.named.size).toBe(500)
    expect(refusal(`populate=${names},b`)).toBe(
      '400 query/populate-too-large populate names more than 500 places in all.',
    )
  })
})
