import { OctavoError } from '@octavo/database'
import { describe, expect, it } from 'vitest'
import { type PlanOptions, planned } from '../../test/support/compiled.ts'
import { collection, registryOf } from '../../test/support/registry.ts'
import { InvalidValue } from '../content-type/attribute-type.ts'
import type { PluginHost } from '../host/define.ts'
import { type Condition, nameOf, type PlanNode } from '../plan/plan.ts'

const registry = registryOf(
  [
    collection('article', {
      title: { type: 'string' },
      views: { type: 'integer' },
      price: { type: 'decimal' },
      live: { type: 'boolean' },
      day: { type: 'date' },
      data: { type: 'json' },
      note: { type: 'string', private: true },
      secret: { type: 'password' },
      quiet: { type: 'string', searchable: false },
      author: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::author.author',
        inversedBy: 'articles',
      },
      box: { type: 'component', component: 'parts.box' },
      rows: { type: 'component', component: 'parts.row', repeatable: true },
      zone: { type: 'dynamiczone', components: ['parts.box', 'parts.row'] },
    }),
    collection('author', {
      name: { type: 'string' },
      articles: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::article.article',
        mappedBy: 'author',
      },
    }),
  ],
  [
    {
      uid: 'parts.box',
      attributes: { rows: { type: 'component', component: 'parts.row', repeatable: true } },
    },
    { uid: 'parts.row', attributes: { name: { type: 'string' } } },
  ],
)

const plan = (query: string, options?: PlanOptions) => planned(registry, query, options)

/** `400 query/bad-value filters[views][$eq]: …` @throws when the query is not refused. */
function refusal(query: string, options?: PlanOptions): string {
  try {
    plan(query, options)
  } catch (error) {
    if (error instanceof OctavoError) return `${error.status} ${error.code} ${error.message}`
    throw error
  }
  throw new Error(`${query} was not refused`)
}

/** A condition as a line: `(title $eq "a" and some author (name $eq "b"))`. */
function line(condition: Condition | undefined): string {
  switch (condition?.kind) {
    case undefined:
      return ''
    case 'constant':
      return String(condition.value)
    case 'matches':
      return `matches ${JSON.stringify(condition.phrase)}`
    case 'not':
      return `not ${line(condition.child)}`
    case 'and':
    case 'or':
      return `(${condition.children.map(line).join(` ${condition.kind} `)})`
    case 'compare': {
      const operands = condition.operands.map((o) =>
        o.kind === 'now' || o.kind === 'written'
          ? o.kind
          : o.kind === 'runtime'
            ? `:${o.value.name}`
            : JSON.stringify(o.value),
      )
      return [condition.attribute.name, condition.operator, ...operands].join(' ')
    }
    case 'added':
      return `${condition.attribute.name} ${condition.operator.name} ${condition.operand}`
    case 'related': {
      const within = condition.within ? ` within ${line(condition.within)}` : ''
      return `${condition.orNone ? 'some or no' : 'some'} ${condition.attribute.name}${within} (${line(condition.child)})`
    }
  }
}
const where = (query: string, options?: PlanOptions): string => line(plan(query, options).root.where)
const selected = (node: PlanNode | undefined): string[] => node?.select.map(({ name }) => name) ?? []

describe('A refusal names the place and the reason', () => {
  const refusals: readonly (readonly [query: string, message: string])[] = [
    // names
    [
      'filters[titel]=x',
      'query/unknown-attribute filters[titel]: article has no attribute "titel"; did you mean "title"?',
    ],
    [
      'filters[author][nome]=x',
      'query/unknown-attribute filters[author][nome]: author has no attribute "nome"; did you mean "name"?',
    ],
    ['filters[box][x]=x', 'query/unknown-attribute filters[box][x]: parts.box has no attribute "x".'],
    [
      'filters[$or][1][x]=x&filters[$or][0][title]=x',
      'query/unknown-attribute filters[$or][1][x]: article has no attribute "x".',
    ],
    ['sort=titel', 'query/unknown-attribute sort: article has no attribute "titel"; did you mean "title"?'],
    [
      'sort[1]=author.nome&sort[0]=title',
      'query/unknown-attribute sort[1]: author has no attribute "nome"; did you mean "name"?',
    ],
    [
      'fields[]=title&fields[]=titel',
      'query/unknown-attribute fields[1]: article has no attribute "titel"; did you mean "title"?',
    ],
    [
      'populate[author][fields]=nome',
      'query/unknown-attribute populate[author][fields]: author has no attribute "nome"; did you mean "name"?',
    ],
    [
      'populate[author][sort]=nome',
      'query/unknown-attribute populate[author][sort]: author has no attribute "nome"; did you mean "name"?',
    ],
    [
      'populate[author][filters][nome]=x',
      'query/unknown-attribute populate[author][filters][nome]: author has no attribute "nome"; did you mean "name"?',
    ],
    // attributes of another kind
    ['fields=author', 'query/not-usable fields: "author" is a relation; use populate for it.'],
    ['fields=zone', 'query/not-usable fields: "zone" is a zone; use populate for it.'],
    ['sort=author', 'query/not-usable sort: "author" is a relation; sort by one of its fields.'],
    ['sort=title.x', 'query/not-usable sort: "title" is a value and has no fields of its own.'],
    [
      'sort=zone.name',
      'query/not-usable sort: "zone" is a dynamic zone; filters and sort cannot go through it.',
    ],
    [
      'filters[zone][name]=x',
      'query/not-usable filters[zone]: "zone" is a dynamic zone; filters and sort cannot go through it.',
    ],
    ['filters[title][x]=x', 'query/not-usable filters[title][x]: "title" is a value and has no field "x".'],
    [
      'populate[zone][sort]=name',
      'query/not-usable populate[zone]: "zone" is a dynamic zone, which is returned completely and in its own order.',
    ],
    // misplaced groups and operators
    ['filters[$eq]=x', 'query/bad-filter filters[$eq]: $eq needs the name of an attribute before it.'],
    [
      'filters[title][$or][0][$eq]=a',
      'query/bad-filter filters[title][$or]: $or joins groups of fields; put it outside "title".',
    ],
    [
      'filters[views][$startsWith]=1',
      'query/bad-filter filters[views][$startsWith]: $startsWith does not take integer, which "views" is; $startsWithi compares its text.',
    ],
    [
      'filters[data][$lt]=x',
      'query/bad-filter filters[data][$lt]: $lt compares values that have an order, and "data" is json.',
    ],
    // values
    ['filters[views]=many', 'query/bad-value filters[views]: expected a whole number, not "many".'],
    [
      'filters[views][$in][0]=1&filters[views][$in][1]=x',
      'query/bad-value filters[views][$in]: expected a whole number, not "x".',
    ],
    ['filters[author]=Ada', 'query/bad-value filters[author]: expected a whole number, not "Ada".'],
  ]
  it.each(refusals)('%s', (query, message) => {
    expect(refusal(query)).toBe(`400 ${message}`)
  })

  it.each(['filters[X]=1', 'sort=X', 'fields=X', 'filters[author][articles][X]=1', 'sort=author.articles.X'])(
    '%s: reports private, secret and hidden attributes as unknown',
    (query) => {
      const setup = (host: PluginHost): void =>
        host.hook('query:attribute', ({ name }) => (name === 'views' ? false : undefined))
      // The hint is one of the names that may be used.
      const refused = (name: string): string =>
        String(refusal(query.replace('X', name), { setup })).replace(
          /; did you mean "(?:zone|title)"\?|\.$/,
          '',
        )
      const absent = refused('nope')
      expect(absent).toContain('query/unknown-attribute')
      for (const name of ['note', 'secret', 'views'])
        expect(refused(name).replaceAll(name, 'nope')).toBe(absent)
    },
  )
})

describe('Filters', () => {
  const meanings: readonly (readonly [query: string, condition: string])[] = [
    ['filters[title]=a', 'title $eq "a"'],
    ['filters[title][]=a&filters[title][]=b', 'title $in ["a","b"]'],
    ['filters[title][$ne][]=a&filters[title][$ne][]=b', '(title $ne "a" or title $ne "b")'],
    ['filters[views][$in]=1', 'views $in ["1"]'],
    ['filters[views][$between][]=1&filters[views][$between][]=2', 'views $between "1" "2"'],
    ['filters[title][$null]=true', 'title $null'],
    ['filters[title][$null]=false', 'title $notNull'],
    ['filters[title][$notNull]=0', 'title $null'],
    ['filters[title][$contains]=100%25_', 'title $contains "%100\\\\%\\\\_%"'],
    ['filters[$or][0][title]=a&filters[$or][1][title]=b', '(title $eq "a" or title $eq "b")'],
    ['filters[title][$not][$contains]=a', 'not title $contains "%a%"'],
    ['filters[author]=3', 'some author (id $eq "3")'],
    ['filters[author][name]=Ada', 'some author (name $eq "Ada")'],
    ['filters[author][name][$null]=true', 'some or no author (name $null)'],
    ['filters[box][rows][name]=x', 'some box (some rows (name $eq "x"))'],
    // "not (some is x)" requires a related entry that is not x, as over joined rows
    ['filters[$not][author][name]=Ada', 'some author (not name $eq "Ada")'],
    [
      'filters[$not][$and][0][title]=a&filters[$not][$and][1][views]=1',
      '(not title $eq "a" or not views $eq "1")',
    ],
  ]
  it.each(meanings)('%s means %s', (query, condition) => {
    expect(where(query)).toBe(condition)
  })

  it('are validated but not applied for an entry by its id', () => {
    expect(where('filters[title]=a&_q=x', { kind: 'byId' })).toBe('id $eq :entry.id')
    expect(refusal('filters[titel]=a', { kind: 'byId' })).toContain('query/unknown-attribute')
  })
})

describe('_q', () => {
  it('searches the id, texts and, for a number, numbers; not private, secret or unsearchable attributes', () => {
    expect(where('_q=x')).toBe('(id $containsi "%x%" or title $containsi "%x%")')
    expect(where('_q=7')).toBe(
      '(id $containsi "%7%" or title $containsi "%7%" or views $containsi "%7%" or price $containsi "%7%")',
    )
  })
})

describe('Sort', () => {
  const order = (query: string) =>
    plan(query).root.order.map(
      ({ path, attribute, direction }) =>
        `${[...path.map((step) => step.attribute.name), attribute.name].join('.')} ${direction}`,
    )
  it('ends in the id, which is the default order', () => {
    expect(order('')).toEqual(['id asc'])
    expect(order('sort=title:desc,author.name,box.rows.name')).toEqual([
      'title desc',
      'author.name asc',
      'box.rows.name asc',
      'id asc',
    ])
  })
})

describe('Fields', () => {
  it('are in the model’s order, without duplicates; the id is implied', () => {
    expect(selected(plan('fields[]=views&fields[]=title&fields[]=title&fields[]=id').root)).toEqual([
      'title',
      'views',
    ])
    expect(selected(plan('fields=id').root)).toEqual([])
    const all = selected(plan('').root)
    expect(all).toEqual(selected(plan('fields=*').root))
    expect(all).toEqual(['title', 'views', 'price', 'live', 'day', 'data', 'quiet', 'createdAt', 'updatedAt'])
  })
})

describe('Pages', () => {
  it.each([
    ['', { offset: 0, limit: 25 }],
    ['pagination[page]=3&pagination[pageSize]=10', { offset: 20, limit: 10 }],
    ['pagination[page]=-3&pagination[pageSize]=0', { offset: 0, limit: 1 }],
    ['pagination[pageSize]=100000', { offset: 0, limit: 100 }],
    ['pagination[start]=-5&pagination[limit]=7', { offset: 0, limit: 7 }],
    ['pagination[limit]=-1', { offset: 0, limit: 100 }],
    ['pagination[limit]=-2', { offset: 0, limit: 1 }],
  ])('%s', (query, slice) => {
    expect(plan(query).root.slice).toEqual(slice)
  })
  it('of a populated list have no maximum', () => {
    const slices = ['[limit]=-1', '[limit]=500', '[page]=2&populate[author][pageSize]=500', ''].map(
      (tail) => plan(`populate[author]${tail || '=true'}`).root.children[0],
    )
    expect(slices.map((child) => child?.kind === 'relation' && child.node.slice)).toEqual([
      { offset: 0, limit: undefined },
      { offset: 0, limit: 500 },
      { offset: 500, limit: 500 },
      undefined,
    ])
  })
})

describe('Populate', () => {
  const children = (query: string, options?: PlanOptions) =>
    plan(query, options).root.children.map(({ attribute, kind }) => `${kind} ${attribute.name}`)

  it('of a scalar or an unknown name populates nothing; a star populates one level', () => {
    expect(children('populate=title,nope,note')).toEqual([])
    expect(children('populate=*')).toEqual([
      'relation author',
      'component box',
      'component rows',
      'zone zone',
    ])
    expect(children('populate[0]=*&populate[author][count]=true')).toContain('count author')
  })
  it('of a zone returns the components that `on` names', () => {
    const kept = (query: string) => {
      const [zone] = plan(query).root.children
      return zone?.kind === 'zone' ? zone.nodes.map((node) => node.model.uid) : undefined
    }
    expect(kept('populate=zone')).toEqual(['parts.box', 'parts.row'])
    expect(kept('populate[zone][on][parts.row]=true')).toEqual(['parts.row'])
    expect(kept('populate[zone][on][parts.nope]=true')).toEqual([])
  })
  it('shows an attribute several times, each time with its own options and under its own name', () => {
    const query =
      'populate[rows][filters][name]=a&populate[other][of]=rows&populate[other][filters][name]=b&populate[same][of]=nope'
    const shown = plan(query).root.children.map((child) => [
      nameOf(child),
      child.attribute.name,
      child.kind === 'component' && child.node.where !== undefined,
    ])
    expect(shown).toEqual([
      ['rows', 'rows', true],
      ['other', 'rows', true],
    ])
    expect(refusal('populate[title][of]=author')).toBe(
      '400 query/bad-populate populate[title]: api::article.article has an attribute "title"; "author" needs another name.',
    )
    expect(refusal(`populate[a'b][of]=author`)).toBe(
      `400 query/bad-populate populate[a'b][of]: expected a name of letters, digits and _, not "a'b".`,
    )
  })

  it('counts all populated places, including those of stars and zones', () => {
    const query = 'populate[author][populate]=*&populate[zone]=true'
    expect(children(query, { limits: { populateNodes: 4 } })).toEqual(['relation author', 'zone zone'])
    expect(refusal(query, { limits: { populateNodes: 3 } })).toBe(
      '400 query/populate-too-large populate names more than 3 places in all.',
    )
  })
})

describe('A plugin', () => {
  const never: Condition = { kind: 'constant', value: false }

  it('narrows the root, populate, filters and sort, each with its use', () => {
    const seen: string[] = []
    const setup = (host: PluginHost): void =>
      host.hook('query:node', ({ model, use, via }) => {
        seen.push(`${use} ${model.uid}${via ? ` via ${via.name}` : ''}`)
        return use === 'filter' ? never : undefined
      })
    const query =
      'filters[author][name]=x&sort=author.name&populate[author][populate]=articles&populate[box]=true'
    expect(where(query, { setup })).toBe('some author within false (name $eq "x")')
    expect(seen).toEqual([
      'root api::article.article',
      'filter api::author.author via author',
      'sort api::author.author via author',
      'populate api::author.author via author',
      'populate api::article.article via articles',
      'populate parts.box via box',
    ])
  })

  it('forbids: 403 at the root, unknown in filters and sort, left out of populate', () => {
    const forbid = (uid: string) => (host: PluginHost) =>
      host.hook('query:node', ({ model }) => (model.uid === uid ? 'forbid' : undefined))
    expect(refusal('', { setup: forbid('api::article.article') })).toBe('403 entry/forbidden Forbidden')
    const setup = forbid('api::author.author')
    for (const query of ['filters[author][name]=x', 'filters[author]=1'])
      expect(refusal(query, { setup })).toBe(
        '400 query/unknown-attribute filters[author]: article has no attribute "author".',
      )
    expect(refusal('sort=author.name', { setup })).toContain('article has no attribute "author"')
    expect(plan('populate=author,box', { setup }).root.children.map(({ kind }) => kind)).toEqual([
      'component',
    ])
  })

  it('cannot widen: its condition is joined with those of the client and other plugins by AND', () => {
    const setup = (host: PluginHost): void => {
      host.hook('query:node', () => never)
      host.hook('query:node', () => ({ kind: 'not', child: never }))
    }
    expect(where('filters[title]=a', { setup })).toBe('((false and not false) and title $eq "a")')
  })

  it.each([
    ['root', ['a', 'a', 'a']],
    ['inherit', ['a', 'b', 'b']],
    ['own', ['a', 'b', '-']],
  ] as const)('reads its parameter where it may stand: %s', (scope, values) => {
    const seen: string[] = []
    const setup = (host: PluginHost): void => {
      const param = host.param('mark', { read: String, default: '-', scope })
      host.hook('query:node', (node) => void seen.push(node.param(param)))
    }
    plan('mark=a&populate[author][mark]=b&populate[author][populate]=articles', { setup })
    expect(seen).toEqual(values)
  })

  it('rejects a value of its parameter, and the error names the place', () => {
    const setup = (host: PluginHost): void => {
      const read = (): never => {
        throw new InvalidValue('red or green')
      }
      host.param('mark', { read, default: '', scope: 'own' })
    }
    expect(refusal('mark=blue', { setup })).toBe(
      '400 query/bad-parameter mark: expected red or green, not "blue".',
    )
    expect(refusal('populate[author][mark]=blue', { setup })).toBe(
      '400 query/bad-parameter populate[author][mark]: expected red or green, not "blue".',
    )
  })
})
