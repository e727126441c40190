import { isObject } from '@octavo/core/internal'
import type { Model, Registry } from '@octavo/core/plugin'
import { editorUid } from '../content-types.ts'
import { alwaysShown } from './narrow.ts'
import { type ContentRight, isContentRight, isWhole, type Right, reachesAll } from './right.ts'

/** The attributes of the person who made an entry that every editor may compare. */
const ofCreator: ReadonlySet<string> = new Set(['id', 'roles'])

/**
 * The attribute in the condition of a right that its giver may not read of all entries that the right reaches; `undefined` without one.
 * The entries that a role finds would tell the giver such values, one comparison after the other (S-62).
 *
 * @returns the path from the content-type: `category.budget`
 */
export function unreadableIn(
  { type, locales, where }: ContentRight,
  by: readonly Right[],
  registry: Registry,
): string | undefined {
  if (where === undefined || by.some(({ action }) => action === 'everything')) return undefined
  const isGiven = (own: Right): boolean =>
    isContentRight(own) && own.type === type && JSON.stringify(own.where) === JSON.stringify(where)
  if (by.some(isGiven)) return undefined
  const readable = (uid: string, path: readonly string[], on: ContentRight['locales']): boolean =>
    by.some(
      (own) =>
        isContentRight(own) &&
        own.action === 'read' &&
        own.type === uid &&
        isWhole(own.fields, path.join('.')) &&
        reachesAll(own, on === undefined ? {} : { locales: on }),
    )
  return inEntry(where, registry.contentType(type), [], locales)

  function inEntry(
    condition: unknown,
    model: Model,
    at: readonly string[],
    on: ContentRight['locales'],
    within: { readonly owner: Model; readonly path: readonly string[] } = { owner: model, path: [] },
  ): string | undefined {
    if (Array.isArray(condition)) return first(condition, (item) => inEntry(item, model, at, on, within))
    if (!isObject(condition)) return undefined
    return first(Object.entries(condition), ([name, value]) => {
      // Operators, and the groups of conditions.
      if (name.startsWith('$')) return inEntry(value, model, at, on, within)
      const attribute = model.attributes.get(name)
      const here = [...at, name]
      const path = [...within.path, name]
      if (attribute?.kind === 'component') {
        const part = registry.component(attribute.component)
        return inEntry(value, part, here, on, { owner: within.owner, path })
      }
      if (!mayRead(within.owner, path, on)) return here.join('.')
      if (attribute?.kind !== 'relation') return undefined
      // Related entries of all locales meet a condition.
      return inEntry(value, registry.contentType(attribute.target), here, undefined)
    })
  }

  function mayRead({ uid }: Model, path: readonly string[], on: ContentRight['locales']): boolean {
    const [name = ''] = path
    if (uid === editorUid) return ofCreator.has(name)
    if (path.length === 1 && (name === 'id' || alwaysShown.has(name))) return true
    return readable(uid, path, on)
  }
}

/** The first text that a function returns for one of the items. */
function first<T>(items: readonly T[], found: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const text = found(item)
    if (text !== undefined) return text
  }
  return undefined
}
