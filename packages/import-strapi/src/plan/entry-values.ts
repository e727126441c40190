import { isObject } from '@octavo/core/internal'
import type { ContentType, Model, Registry } from '@octavo/core/plugin'
import { hasDrafts } from '../model/automatic.ts'
import { parsedJson } from '../model/parsed-json.ts'
import { fileUid, isTaken, userUid } from '../model/uids.ts'
import type { Data } from '../records.ts'

/** Data that the values of some content-types depend on. */
export interface ValueContext {
  readonly registry: Registry
  /** Path of the folder that a file is in, `/` when it is in none. */
  readonly folderOf: (file: number) => string
  /** The locale of entries without one: they are from before the locales were switched on. */
  readonly defaultLocale: string
}

/**
 * The values of an entry as a data file has them, without its relations. Attributes that the definition does not have are
 * left out; attributes that the entry does not have are null. Items of missing components are left out of zones.
 */
export function entryValues(
  type: ContentType,
  id: number,
  data: Data,
  context: ValueContext,
): Record<string, unknown> {
  return { id, ...modelValues(type, ofOwnType(type, id, data, context), context) }
}

function modelValues(model: Model, data: Data, context: ValueContext): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const attribute of model.attributes.values()) {
    const { name } = attribute
    const given = data[name]
    if (attribute.kind === 'relation') continue
    if (attribute.kind === 'computed') continue
    if (attribute.kind === 'scalar') {
      if (given !== undefined && given !== null) values[name] = given
      else
        values[name] =
          name === 'locale' && model.attributes.has('localizations') ? context.defaultLocale : null
    } else if (attribute.kind === 'component') {
      const items = (Array.isArray(given) ? given : [given]).filter(isObject)
      const made = items.map((item) => componentValues(attribute.component, item, context))
      values[name] = attribute.repeatable ? made : (made[0] ?? null)
    } else {
      values[name] = (Array.isArray(given) ? given : [])
        .filter(isObject)
        .filter((item) => attribute.components.includes(String(item.__component)))
        .map((item) => ({
          __component: item.__component,
          ...componentValues(String(item.__component), item, context),
        }))
    }
  }
  // A definition that is newer than the data: what was there had been published.
  if (isDraftable(model) && data.publishedAt === undefined) values.publishedAt = data.createdAt ?? null
  return values
}

/** Whether the definition has drafts, and the server their plugin. */
const isDraftable = (model: Model): boolean =>
  model.kind !== 'component' && hasDrafts(model) && model.attributes.has('publishedAt')

const componentValues = (uid: string, data: Data, context: ValueContext): Record<string, unknown> => ({
  ...(data.id !== undefined && { id: data.id }),
  ...modelValues(context.registry.component(uid), data, context),
})

/** The rows of types that Octavo's plugins bring, in their form. */
function ofOwnType({ uid }: ContentType, id: number, given: Data, { folderOf }: ValueContext): Data {
  if (uid !== fileUid && uid !== userUid) return given
  const data = Object.fromEntries(Object.entries(given).filter(([name]) => !isTaken(uid, name)))
  if (uid === fileUid)
    return {
      ...data,
      formats: parsedJson(data.formats),
      provider_metadata: parsedJson(data.provider_metadata),
      mime: data.mime ?? 'application/octet-stream',
      folderPath: folderOf(id),
    }
  return {
    ...data,
    ...(typeof data.email === 'string' && { email: data.email.toLowerCase() }),
    provider: data.provider ?? 'local',
    // The tokens of Strapi never expire and are stored in plain text; users request new ones.
    resetPasswordToken: null,
    confirmationToken: null,
    tokenVersion: 0,
  }
}
