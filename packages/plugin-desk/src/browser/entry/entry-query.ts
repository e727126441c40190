/** The query that reads an entry with everything that a form shows. Saves have it too, so that versions are compared. */
import type { Query } from '../api.ts'
import { type Attributes, type ContentType, fileUid, type Model, mainFieldOf, targetOf } from '../model.ts'

/** Components may contain components; deeper ones are not shown. */
const deepest = 6

export function entryQuery(type: ContentType, model: Model): Query {
  return {
    publicationState: 'preview',
    populate: {
      ...populateOf(type.attributes, model, 0),
      ...(type.isLocalized && {
        localizations: { fields: ['locale', ...(type.hasDrafts ? ['publishedAt'] : [])] },
      }),
      createdBy: { fields: ['firstname', 'lastname'] },
      updatedBy: { fields: ['firstname', 'lastname'] },
    },
  }
}

function populateOf(attributes: Attributes, model: Model, depth: number): Record<string, Query | boolean> {
  if (depth > deepest) return {}
  const inner = (uid: unknown): Query | boolean => {
    const component = model.components.find((one) => one.uid === uid)
    const populate = component ? populateOf(component.attributes, model, depth + 1) : {}
    return Object.keys(populate).length === 0 ? true : { populate }
  }
  const entries = Object.entries(attributes).flatMap(([name, definition]): [string, Query | boolean][] => {
    if (definition.readOnly === true) return []
    switch (definition.type) {
      case 'media':
        return model.types.some(({ uid }) => uid === fileUid) ? [[name, true]] : []
      case 'relation': {
        const target = model.types.find(({ uid }) => uid === targetOf(definition))
        if (!target) return []
        const main = mainFieldOf(target.attributes)
        const fields = [
          ...(main ? [main] : []),
          ...(target.hasDrafts ? ['publishedAt'] : []),
          ...(target.isLocalized ? ['locale'] : []),
        ]
        return [[name, { fields: fields.length > 0 ? fields : ['id'] }]]
      }
      case 'component':
        return [[name, inner(definition.component)]]
      case 'dynamiczone': {
        const uids = Array.isArray(definition.components) ? definition.components.map(String) : []
        return [[name, { on: Object.fromEntries(uids.map((uid) => [uid, inner(uid)])) }]]
      }
      default:
        return []
    }
  })
  return Object.fromEntries(entries)
}
