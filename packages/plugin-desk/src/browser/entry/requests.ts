/** The requests that create an entry and save its changes. */
import type { Form, GroupValue } from '../../form/index.ts'
import { readEntry } from '../../form/index.ts'
import { type Answer, ApiError, request } from '../api.ts'
import type { Entry } from '../entries.ts'
import type { ContentType, Model } from '../model.ts'
import { entryQuery } from './entry-query.ts'

export interface Stored {
  readonly entry: Entry | undefined
  /** The version that a save changes. */
  readonly etag: string | undefined
}

export interface EntryPlace {
  readonly type: ContentType
  readonly model: Model
  readonly form: Form
  /** The language of a new entry. */
  readonly locale: string | undefined
  /** The entry of which a new one is another language. */
  readonly origin: string | undefined
}

type EntryAnswer = Answer<{ readonly data: Entry }>

/** @returns the answer of a single type; the id of a new entry, whose answer has not all that the form shows. @throws ApiError */
export async function create(place: EntryPlace, state: object): Promise<EntryAnswer | number> {
  const { type, model, form, locale, origin } = place
  const query = entryQuery(type, model)
  const data = { ...form.createBody(), ...(locale !== undefined && { locale }), ...state }
  const path = `content/${type.route}`
  if (type.kind === 'singleType') return request('PUT', path, { query, body: { data } })
  if (origin !== undefined)
    return (await request<{ id: number }>('POST', `${path}/${origin}/localizations`, { body: data })).body.id
  return (await request<{ data: Entry }>('POST', path, { body: { data } })).body.data.id
}

export interface Updated {
  readonly answer: EntryAnswer
  /** The value that was sent; `undefined` when values of two people overlap, and nothing was sent. */
  readonly sent: GroupValue | undefined
  /** Whether changes of somebody else were merged. */
  readonly isMerged: boolean
}

/** How often a save is merged and sent again while others write the same entry. */
const attempts = 4

/** Saves the changes by the smallest request. @throws ApiError */
export async function update(place: EntryPlace, { entry, etag }: Stored, state: object): Promise<Updated> {
  const { type, model, form } = place
  const path = type.kind === 'singleType' ? `content/${type.route}` : `content/${type.route}/${entry?.id}`
  const query = entryQuery(type, model)
  let version = etag
  for (let attempt = 1; ; attempt += 1) {
    const sent = form.value()
    try {
      const body = { data: { ...form.updateBody(), ...state } }
      const answer: EntryAnswer = await request('PUT', path, { query, body, etag: version })
      return { answer, sent, isMerged: attempt > 1 }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || attempt === attempts) throw error
      const answer: EntryAnswer = await request('GET', path, { query })
      version = answer.etag
      const overlaps = form.receive(readEntry(form.model, type.uid, answer.body.data))
      // Where both have changed the same, a person decides first.
      if (overlaps.length > 0) return { answer, sent: undefined, isMerged: true }
    }
  }
}
