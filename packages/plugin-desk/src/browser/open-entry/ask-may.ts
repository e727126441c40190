import { ApiError, request } from '../requests/api.ts'

/** Something that is done to a stored entry. */
export type EntryAction = 'update' | 'delete' | 'publish'

/** The actions that a person may take on a stored entry. */
type May = Readonly<Record<EntryAction, boolean>>

/** The greatest number of entries that the server takes in one request. */
const most = 100

/** A question about one entry, with the ways to answer it. */
interface Question {
  readonly id: number
  readonly signal: AbortSignal
  readonly resolve: (may: May) => void
  readonly reject: (error: unknown) => void
}

/** Questions that wait for the next request, by the route of the content-type. */
const waiting = new Map<string, readonly Question[]>()

/**
 * Asks which actions a person may take on an entry. Questions that are asked at the same time are sent as one request, because the selection
 * of a whole page would otherwise send a request for each of its entries.
 *
 * @throws ApiError with the status 404 for an entry that the person may not read
 */
export function askMay(route: string, id: number, signal: AbortSignal): Promise<May> {
  return new Promise((resolve, reject) => {
    const questions = waiting.get(route) ?? []
    if (questions.length === 0) setTimeout(() => askNow(route))
    waiting.set(route, [...questions, { id, signal, resolve, reject }])
  })
}

function askNow(route: string): void {
  const questions = (waiting.get(route) ?? []).filter(({ signal }) => !signal.aborted)
  waiting.delete(route)
  for (let start = 0; start < questions.length; start += most)
    void askTogether(route, questions.slice(start, start + most))
}

async function askTogether(route: string, questions: readonly Question[]): Promise<void> {
  const ids = questions.map(({ id }) => id).join(',')
  try {
    const { body } = await request<Readonly<Record<string, May>>>('GET', `may/${route}`, {
      query: { ids },
      signal: whenAllAbort(questions),
    })
    for (const { id, resolve, reject } of questions) {
      const may = body[id]
      if (may) resolve(may)
      else reject(new ApiError(404, '', 'desk/not-found'))
    }
  } catch (error) {
    for (const { reject } of questions) reject(error)
  }
}

/** Gives a request up once nobody waits for any of its answers. */
function whenAllAbort(questions: readonly Question[]): AbortSignal {
  const controller = new AbortController()
  const check = () => {
    if (questions.every(({ signal }) => signal.aborted)) controller.abort()
  }
  for (const { signal } of questions) signal.addEventListener('abort', check)
  return controller.signal
}
