/** The requests of the soak test. */
import type { Agent } from 'node:http'
import { json, type Shot, type Timed, timed } from '../timed-request.ts'

/** Sends one or several requests after another and passes each answer on. */
export type Visit = (note: (answer: Timed) => void) => Promise<void>

/** Lists of the demo, from cheap to dear. */
export const lists = [
  '/api/books',
  '/api/books?populate[authors][fields]=name&sort=firstPublished&pagination[pageSize]=50',
  '/api/authors?filters[birthplace][country]=France&populate=books',
  '/api/genres?filters[parent][id][$null]=true&populate[children][populate]=children',
  '/api/reading-lists?populate[body][populate]=*',
  '/api/library?populate=*',
  '/api/books?filters[title][$containsi]=the&sort=title:desc',
  '/api/books?_q=love&populate=cover',
]

const password = 'correct horse battery'

/** The smallest PNG: one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const boundary = 'octavo-soak'
const upload: Shot = {
  method: 'POST',
  path: '/api/upload',
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  body: Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="dot.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]),
}

/** The user of the logins. @throws Error when it cannot be registered. */
export async function register(agent: Agent, url: string): Promise<void> {
  const answer = await timed(
    agent,
    url,
    json('POST', '/api/auth/local/register', { username: 'soak', email: 'soak@example.org', password }),
  )
  if (answer.status !== 200) throw new Error(`The user was refused: ${answer.text}`)
}

/**
 * Visits in a fixed order: of 100, 60 read a list, 20 a single entry, 12 update one, 6 create and delete one, 1 uploads and
 * deletes a file, and 1 logs in. Nothing accumulates in the database, so that growth is the server's.
 */
export function visits(agent: Agent, url: string): () => Visit {
  let count = 0
  const send = (shot: Shot): Promise<Timed> => timed(agent, url, shot)
  const only =
    (shot: Shot): Visit =>
    async (note) =>
      note(await send(shot))
  /** Deletes what a request created, whose id `find` reads from the answer. */
  const andDelete =
    (shot: Shot, path: string, find: (body: Created) => number | undefined): Visit =>
    async (note) => {
      const made = await send(shot)
      note(made)
      const id = made.status === 200 ? find(JSON.parse(made.text)) : undefined
      if (id !== undefined) note(await send({ method: 'DELETE', path: `${path}/${id}` }))
    }
  return () => {
    const n = count++
    const part = (n * 37) % 100
    if (part < 60) return only({ method: 'GET', path: lists[n % lists.length] ?? '/api/books' })
    if (part < 80) return only({ method: 'GET', path: `/api/books/${1 + (n % 40)}?populate=*` })
    if (part < 92) return only(json('PUT', `/api/places/${1 + (n % 100)}`, { data: { latitude: n % 90 } }))
    if (part < 98)
      return andDelete(
        json('POST', '/api/places', { data: { name: `Soak ${n}`, kind: 'city' } }),
        '/api/places',
        ({ data }) => data?.id,
      )
    if (part < 99) return andDelete(upload, '/api/upload/files', ({ 0: file }) => file?.id)
    return only(json('POST', '/api/auth/local', { identifier: 'soak', password }))
  }
}

/** A created entry, or a list of uploaded files. */
interface Created {
  readonly data?: { readonly id: number }
  readonly 0?: { readonly id: number }
}
