import { problem } from '../problems.ts'
import type { UsesRequest } from './uses.ts'

const [mostUses, usualUses] = [100, 20]

/**
 * The parameters of `GET /upload/uses`: `filters`, `sort` and pages choose files as in a list of them; `entryFields=title,name` are attributes of the
 * entries, and `uses` is the greatest number of entries of each file.
 *
 * @throws ValidationError for another parameter
 */
export function readUses(query: string): UsesRequest {
  const files = new URLSearchParams({ fields: 'name' })
  let fields: readonly string[] = []
  let limit = usualUses
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'entryFields') fields = value.split(',')
    else if (name === 'uses') limit = readLimit(value)
    else if (/^(filters|sort|pagination|start|limit)(\[|$)/.test(name)) files.append(name, value)
    else
      throw problem('upload/bad-uses', {
        message: `${name} is no parameter here; there are filters, sort, pagination, start, limit, entryFields and uses.`,
      })
  }
  return { files: files.toString(), fields, limit }
}

function readLimit(text: string): number {
  const limit = Number(text)
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= mostUses) return limit
  throw problem('upload/bad-uses', { message: `uses must be a whole number from 1 to ${mostUses}.` })
}
