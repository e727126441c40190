/** Random query strings. */
import fc from 'fast-check'
import { name, text } from './fuzz-words.ts'

const encoded = (value: string): fc.Arbitrary<string> =>
  fc.constantFrom(encode(value), encode(value), encode(value), value.replaceAll(/[^!-~]/g, ''))

/** Lone surrogates have no encoding; they become the replacement character, as browsers send them. */
export const encode = (value: string): string => encodeURIComponent(value.toWellFormed())

const parameter = fc
  .tuple(
    fc.constantFrom(
      ...[
        'filters',
        'populate',
        'sort',
        'fields',
        'pagination',
        'locale',
        'publicationState',
        '_q',
        'explain',
      ],
      ...['start', 'limit', 'filters', 'populate', 'populate', 'meta', 'plugins'],
    ),
    fc.array(fc.oneof(name, fc.constantFrom('page', 'pageSize', 'withCount', 'on', 'after', 'before', '')), {
      maxLength: 6,
    }),
    text,
  )
  .chain(([key, path, value]) =>
    encoded(value).map((end) => `${key}${path.map((part) => `[${encode(part)}]`).join('')}=${end}`),
  )
/** Valid parameters, so that the parameters beside them are evaluated. */
const rightParameter = fc.constantFrom(
  ...[
    'populate=*',
    'populate=authors',
    'populate[authors][populate]=*',
    'populate[cover]=true',
    'fields=title',
  ],
  ...[
    'fields[0]=title&fields[1]=id',
    'sort=title:desc',
    'sort[0]=firstPublished&sort[1]=id',
    'sort=authors.name',
  ],
  ...[
    'filters[title][$containsi]=a',
    'filters[id][$in][0]=1&filters[id][$in][1]=2',
    'filters[authors][name][$ne]=x',
  ],
  ...['filters[$or][0][id]=1&filters[$or][1][title][$null]=true', 'filters[$not][id][$gt]=3', '_q=the'],
  ...[
    'pagination[page]=2&pagination[pageSize]=3',
    'pagination[start]=1&pagination[limit]=2',
    'pagination[after]=',
  ],
  ...['pagination[withCount]=false', 'locale=fr', 'locale=all', 'publicationState=preview'],
)
const junk = fc.string({ maxLength: 40 }).map((value) => value.replaceAll(/[^!-~]|#/g, ''))
export const query = fc.oneof(
  fc.constant(''),
  fc
    .array(
      fc.oneof(
        { weight: 8, arbitrary: rightParameter },
        { weight: 4, arbitrary: parameter },
        { weight: 1, arbitrary: junk },
      ),
      { maxLength: 4 },
    )
    .map((all) => (all.length === 0 ? '' : `?${all.join('&')}`)),
)
