import { problem as coreProblem } from '@octavo/core/plugin'

/** The user routes page by `start` and `limit` only; `pagination`, `page` and `pageSize` are ignored. */
export const withoutPaging = (query: string): string =>
  selectParams(query, (key) => !/^(pagination(\[|$)|(page|pageSize|start|limit)$)/.test(key))

/** Selects parameters of a query string by their decoded names, in their original encoding. */
export const selectParams = (query: string, isSelected: (key: string) => boolean): string =>
  query
    .split('&')
    .filter((part) => part !== '' && isSelected(decoded(part.split('=', 1)[0] ?? '')))
    .join('&')

/** Selects parameters of a query string by their names, decoded. */
export const paramsOf = (
  query: string,
  isSelected: (key: string) => boolean,
): readonly (readonly [string, string])[] =>
  selectParams(query, isSelected)
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
