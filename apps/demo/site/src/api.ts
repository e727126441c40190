import { createClient, webSession } from '@octavo/client'
import type { ContentTypes } from '../octavo-types.d.ts'

/** The server of the page. A login lasts until it ends on the server or here. */
export const api = createClient<ContentTypes>({ session: webSession(localStorage, 'library') })

/** The query of the books on a shelf: what a card shows. */
export const card = {
  fields: ['title', 'blurb', 'firstPublished', 'circa', 'language', 'form', 'locale', 'publishedAt'],
  populate: {
    authors: { fields: ['name'] },
    genres: { fields: ['name'] },
    cover: true,
  },
} as const

/** The drafts of books are in the answer for users only: see the permissions of the demo. */
export const stateOf = (isPreview: boolean) => ({ publicationState: isPreview ? 'preview' : 'live' }) as const
