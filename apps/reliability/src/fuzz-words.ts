/** Names and values for random requests: those of the demo, and invalid ones. */
import fc from 'fast-check'

export const types = ['books', 'authors', 'genres', 'reading-lists', 'library', 'editions', 'users']
export const attributes = [
  ...['id', 'title', 'name', 'firstPublished', 'authors', 'cover', 'body', 'genres', 'birthplace', 'country'],
  ...[
    'locale',
    'localizations',
    'publishedAt',
    'createdAt',
    'parent',
    'children',
    'email',
    'password',
    'role',
  ],
  ...['__proto__', 'constructor', 'toString', '', '*', 'deep', '0', '-1', '__component', 'translations'],
]
const operators = [
  ...['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$in', '$notIn', '$contains', '$containsi', '$startsWith'],
  ...['$endsWith', '$null', '$notNull', '$between', '$or', '$and', '$not', '$eqi', '$foo', '$'],
]
const odd = [
  ...['', ' ', '0', '-1', '1e3', '1.5', '99999999999999999999', 'NaN', 'true', 'null', '[]', '{}', "'", '"'],
  ...['\u0000', '\ud800', '\u202e', 'ß', '😀', '%', '%00', '%zz', '../..', 'a'.repeat(3_000), '2024-02-30'],
  ...[
    '*',
    ',',
    'title,id',
    'title:desc',
    'title:up',
    'en',
    'fr',
    'all',
    'live',
    'preview',
    '\\',
    '\r\n',
    '$user.id',
  ],
]

export const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...odd) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc.nat(30).map(String),
)
export const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...attributes, ...operators) },
  { weight: 1, arbitrary: text },
)

/** Some characters stay as they are, so that malformed percent encodings and raw bytes occur. */
