/**
 * Parses `fields` into unresolved names.
 *
 *     fields=title                    → title; spaces around a name are ignored
 *     fields[0]=title&fields[1]=id    → title, id; also fields[]= and a repeated fields=
 *     fields=*                        → all; other names beside it are checked all the same
 *     fields=title,id                 → one name, "title,id", which no content-type has
 *
 * Rejects empty names, and anything but texts: `fields[title]=1`.
 *
 * Source: docs/contract/reading.md#fields; the comma from the recorded exchange fields-004, the star from fields-006.
 */
import { problem } from '../error/problems.ts'
import { child } from './path.ts'
import type { ParamPath, RawField, RawNode, RawValue } from './raw.ts'
import { isList } from './value.ts'

/** @throws ValidationError `query/bad-fields` */
export function parseFields(value: RawValue, at: ParamPath): RawNode['fields'] {
  if (typeof value === 'string') return joined([value], [at])
  if (!isList(value)) throw problem('query/bad-fields', { at })
  return joined(
    value,
    value.map((_, i) => child(at, i)),
  )
}

function joined(names: readonly RawValue[], places: readonly ParamPath[]): RawNode['fields'] {
  const fields: RawField[] = []
  for (const [i, at] of places.entries()) {
    const written = names[i]
    const name = typeof written === 'string' ? written.trim() : ''
    // An empty list would be all attributes, and the reference refuses an empty name.
    if (name === '') throw problem('query/bad-fields', { at })
    fields.push({ name, at })
  }
  return fields.every(({ name }) => name === '*') ? '*' : fields
}
