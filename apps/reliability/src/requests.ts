/** Random requests to existing routes, with parts that are invalid in all ways that HTTP and JSON allow. */
import fc from 'fast-check'

export interface FuzzRequest {
  readonly method: string
  /** With the query string, as it is written on the request line. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** In base64; `undefined`: no body. */
  readonly body: string | undefined
}

const types = ['books', 'authors', 'genres', 'reading-lists', 'library', 'editions', 'users']
const attributes = [
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

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...odd) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc.nat(30).map(String),
)
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...attributes, ...operators) },
  { weight: 1, arbitrary: text },
)

/** Some characters stay as they are, so that malformed percent encodings and raw bytes occur. */
const encoded = (value: string): fc.Arbitrary<string> =>
  fc.constantFrom(encode(value), encode(value), encode(value), value.replaceAll(/[^!-~]/g, ''))

/** Lone surrogates have no encoding; they become the replacement character, as browsers send them. */
const encode = (value: string): string => encodeURIComponent(value.toWellFormed())

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
const query = fc.oneof(
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

const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...types, 'actions', 'publish', 'me', 'count', 'files', 'local') },
  { weight: 3, arbitrary: fc.constantFrom('1', '2', '999999', '-1', '1e3', '%31', '0x1', '..', '.', '') },
  { weight: 1, arbitrary: text.map(encode) },
)
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...types), fc.constantFrom('', '/1', '/2', '/3'))
      .map(([type, id]) => `/api/${type}${id}`),
  },
  { weight: 1, arbitrary: fc.array(segment, { maxLength: 5 }).map((parts) => `/api/${parts.join('/')}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '/',
        '/api',
        '/_health',
        '/_health/ready',
        '/_metrics',
        '/api/auth/local',
        '/api/auth/local/register',
      ],
      ...[
        '/api/auth/forgot-password',
        '/api/auth/reset-password',
        '/api/users/me',
        '/api/upload',
        '/api/i18n/locales',
      ],
      ...[
        '/api/upload/files',
        '/api/users-permissions/roles',
        '/api/connect/google',
        '/api/auth/google/callback',
      ],
      ...[
        '/api/books/bulk',
        '/api/books/1/actions/publish',
        '/api/books/1/localizations',
        '/api/openapi.json',
      ],
    ),
  },
  { weight: 1, arbitrary: fc.array(segment, { maxLength: 4 }).map((parts) => `/uploads/${parts.join('/')}`) },
)

const headers = fc.dictionary(
  fc.constantFrom(
    ...['accept', 'accept-encoding', 'authorization', 'origin', 'range', 'if-none-match', 'cookie', 'prefer'],
    ...[
      'x-forwarded-for',
      'x-http-method-override',
      'content-encoding',
      'accept-language',
      'x-octavo-position',
    ],
  ),
  fc.constantFrom(
    ...[
      '*/*',
      'gzip',
      '*;q=0',
      'identity;q=0',
      'gzip;q=0, *;q=0',
      'Bearer x',
      'Bearer a.b.c',
      'Basic Og==',
      'null',
    ],
    ...['bytes=0-', 'bytes=9-1', '"x"', 'W/"x"', 'DELETE', '::1', 'br', 'deflate', 'text/html', '0/16B3748'],
  ),
  { maxKeys: 3 },
)

/** Bodies in the forms that routes take, with values of any kind in their places. */
const entry = fc.dictionary(
  fc.constantFrom(...attributes.filter((key) => key !== '__proto__')),
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    text,
    fc.record(
      { connect: fc.jsonValue({ maxDepth: 2 }), set: fc.jsonValue({ maxDepth: 1 }) },
      { requiredKeys: [] },
    ),
    fc.constantFrom<unknown>([1, 2], { id: 1 }, [{ __component: 'list.note', id: 1 }], { __proto__: 1 }),
  ),
  { maxKeys: 5 },
)
const json = fc.oneof(
  { weight: 5, arbitrary: entry.map((data) => JSON.stringify({ data })) },
  { weight: 2, arbitrary: entry.map((data) => JSON.stringify(data)) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: entry.map((data) => JSON.stringify({ data }).slice(0, -2)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"__proto__":{"a":1},"data":{}}', '[', '""', '{"data":1}', '\u0000', ''),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('identifier', 'email', 'username'), text, text)
      .map(([key, value, password]) => JSON.stringify({ [key]: value, password, code: password })),
  },
)
const boundary = 'octavo-fuzz'
const multipart = fc
  .array(
    fc.tuple(
      fc.constantFrom('files', 'data', 'fileInfo', 'ref', 'refId', 'field', 'files.cover', 'x'),
      fc.constantFrom('', '; filename="a.png"', '; filename="../a.html"', '; filename=""', '; filename*=x'),
      fc.oneof(json, text, fc.string({ unit: 'binary', maxLength: 200 })),
    ),
    { maxLength: 4 },
  )
  .chain((parts) =>
    fc
      .constantFrom(`--${boundary}--\r\n`, `--${boundary}--\r\n`, '', '--')
      .map(
        (end) =>
          `${parts.map(([key, file, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"${file}\r\n\r\n${value}\r\n`).join('')}${end}`,
      ),
  )

const contents: fc.Arbitrary<{ readonly type: string | undefined; readonly body: string } | undefined> =
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 5, arbitrary: json.map((body) => ({ type: 'application/json', body })) },
    {
      weight: 1,
      arbitrary: json.map((body) => ({ type: 'application/vnd.api+json; charset=latin1', body })),
    },
    {
      weight: 1,
      arbitrary: query.map((body) => ({ type: 'application/x-www-form-urlencoded', body: body.slice(1) })),
    },
    {
      weight: 2,
      arbitrary: multipart.map((body) => ({ type: `multipart/form-data; boundary=${boundary}`, body })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('multipart/form-data', 'text/plain', 'image/png', 'x', 'application/json; charset=x')
        .map((type) => ({ type, body: '{}' })),
    },
    { weight: 1, arbitrary: json.map((body) => ({ type: undefined, body })) },
  )

const anyMethod = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND')

/** Requests of content-types: a method that the path takes, and a body where the method has one. */
const content = fc
  .tuple(
    fc.constantFrom(...types),
    fc.oneof(
      fc.constant(''),
      fc.integer({ min: 1, max: 60 }).map((id) => `/${id}`),
      fc.constantFrom('/%31', '/x', '/0'),
    ),
  )
  .chain(([type, id]) =>
    fc.record({
      path: fc.constant(`/api/${type}${id}`),
      method:
        id === ''
          ? fc.constantFrom('GET', 'GET', 'POST')
          : fc.oneof(
              { weight: 30, arbitrary: fc.constantFrom('GET', 'GET', 'PUT') },
              { weight: 1, arbitrary: fc.constant('DELETE') },
            ),
      query,
      headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
    }),
  )
  .chain((part) =>
    (part.method === 'GET' || part.method === 'DELETE' ? fc.constant(undefined) : contents).map((body) => ({
      ...part,
      content: body,
    })),
  )
const anything = fc.record({ method: anyMethod, path, query, headers, content: contents })

export const request: fc.Arbitrary<FuzzRequest> = fc
  .oneof({ weight: 3, arbitrary: content }, { weight: 2, arbitrary: anything })
  .map(({ method, path, query, headers: given, content: body }) => ({
    method,
    path: `${path}${query}`,
    headers: { ...given, ...(body?.type !== undefined && { 'content-type': body.type }) },
    body: body && Buffer.from(body.body).toString('base64'),
  }))
