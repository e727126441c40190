import { didYouMean } from '../content-type/nearest.ts'
import { problem } from '../error/problems.ts'
import { child } from './path.ts'
import type { ParamPath } from './raw.ts'
import type { Reading } from './reading.ts'
import { isIndex, type RawObject, shown } from './value.ts'

/** Parameters of Strapi 3, by the place of their meaning. */
const former: Readonly<Record<string, string>> = {
  _limit: 'pagination[limit]',
  _start: 'pagination[start]',
  _sort: 'sort',
  _where: 'filters',
  _locale: 'locale',
  _publicationState: 'publicationState',
}

/** Reports a parameter that nothing declares. @param known All declared ones. */
export function unknownParameter(name: string, known: readonly string[], reading: Reading): void {
  reading.unknownName?.(() => {
    const meant = Object.hasOwn(former, name) ? `; did you mean "${former[name]}"?` : didYouMean(name, known)
    return problem('query/unknown-parameter', { name: shown(name), hint: meant })
  })
}

/** Reports the keys of an object at a place that nothing reads there. */
export function unknownKeys(
  value: RawObject,
  known: readonly string[],
  at: ParamPath,
  { unknownName }: Reading,
): void {
  if (!unknownName) return
  for (const key of Object.keys(value))
    if (!isIndex(key) && !known.includes(key))
      unknownName(() =>
        problem('query/unknown-parameter', {
          name: shown(child(at, key)),
          hint: didYouMean(key, known, `; there are ${known.join(', ')}`),
        }),
      )
}
