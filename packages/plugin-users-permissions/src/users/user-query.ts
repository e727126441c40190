import { problem as coreProblem } from '@octavo/core'

/** These routes page by `start` and `limit` alone; `pagination`, `page` and `pageSize` mean nothing to them. */
export const withoutPaging = (query: string): string =>
  keep(query, (key) => !/^(pagination(\[|$)|(page|pageSize|start|limit)$)/.test(key))

/** The parameters of a query string whose decoded name is wanted, as they were written. */
export const keep = (query: string, wanted: (key: string) => boolean): string =>
  query
    .split('&')
    .filter((part) => part !== '' && wanted(decoded(part.split('=', 1)[0] ?? '')))
    .join('&')

/** The wanted parameters of a query string, decoded. */
export const paramsOf = (
  query: string,
  wanted: (key: string) => boolean,
): readonly (readonly [string, string])[] =>
  keep(query, wanted)
    .split('&')
    .filter(Boolean)
    .map((part) => [decoded(part.split('=', 1)[0] ?? ''), decoded(part.slice(part.indexOf('=') + 1))])

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw coreProblem('query/malformed', { reason: `"${text.slice(0, 100)}" is badly encoded` })
  }
}
