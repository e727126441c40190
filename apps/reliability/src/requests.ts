/** Random requests to existing routes, with parts that are invalid in all ways that HTTP and JSON allow. */
import fc from 'fast-check'
import { contents } from './fuzz-bodies.ts'
import { encode, query } from './fuzz-queries.ts'
import { text, types } from './fuzz-words.ts'

export interface FuzzRequest {
  readonly method: string
  /** With the query string, as it is written on the request line. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** In base64; `undefined`: no body. */
  readonly body: string | undefined
}

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
