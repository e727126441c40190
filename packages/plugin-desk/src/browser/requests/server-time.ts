import { personHeader } from './person-header.ts'

/** The time of the server. By a device whose clock is ahead, an entry would be published later than it is said to be. */

/** Milliseconds that the clock of the device is ahead of the server's, by the last answer. */
let ahead = 0

/** The present time by the clock of the server, at most a second and the way of an answer too early. */
export const serverTime = (): Date => new Date(Date.now() - ahead)

/** Whether a time has come; false for null. */
export const isPast = (time: unknown): boolean =>
  typeof time === 'string' && Date.parse(time) <= serverTime().getTime()

/** Sends a request of the person on this page, and notes the time that the server says. */
export async function timedFetch(
  url: string,
  request: RequestInit & { readonly headers: Readonly<Record<string, string>> },
): Promise<Response> {
  // Answers to reads may have been asked for by the document already, without headers.
  const isRead = request.method === 'GET'
  const headers = isRead ? request.headers : { ...request.headers, ...personHeader() }
  const response = await fetch(url, { ...request, headers })
  const time = Date.parse(response.headers.get('Date') ?? '')
  if (!Number.isNaN(time)) ahead = Date.now() - time
  return response
}
