import type { ContentType, Model, Registry, ScalarAttribute } from '@octavo/core/plugin'
import { parsedJson } from '../model/parsed-json.ts'
import { fileUid, userUid, withoutCounterpart } from '../model/uids.ts'
import type { Data } from '../records.ts'

/** Values that the import changes; they are not compared. */
const changedByImport: Readonly<Record<string, readonly string[]>> = {
  [userUid]: ['resetPasswordToken', 'confirmationToken', 'provider'],
  [fileUid]: ['folderPath', 'mime'],
}

const isCompared = (uid: string, name: string): boolean =>
  !changedByImport[uid]?.includes(name) && !withoutCounterpart(uid).includes(name)

/** Values that are stored in another form than they come in. */
const storedAs: Readonly<Record<string, (value: unknown) => unknown>> = {
  [`${userUid} email`]: (value) => (typeof value === 'string' ? value.toLowerCase() : value),
  [`${fileUid} formats`]: parsedJson,
  [`${fileUid} provider_metadata`]: parsedJson,
}

/**
 * The values of an entry, its components included and its relations left out, as one text: the same for both sides,
 * for any spelling of a date or a number.
 */
export function canonicalRow(type: ContentType, id: number, values: Data, registry: Registry): string {
  return JSON.stringify([id, modelRow(type, values, registry)])
}

function modelRow(model: Model, values: Data, registry: Registry): unknown {
  const row: [string, unknown][] = []
  for (const attribute of model.attributes.values()) {
    const { name } = attribute
    if (attribute.kind === 'relation' || !isCompared(model.uid, name)) continue
    const given = values[name] ?? null
    if (attribute.kind === 'scalar') {
      const stored = storedAs[`${model.uid} ${name}`]
      const value = canonicalValue(attribute, stored ? stored(given) : given)
      if (value !== null) row.push([name, value])
    } else {
      const items = (Array.isArray(given) ? given : [given]).flatMap((item: Data | null) => {
        if (item === null) return []
        const uid = attribute.kind === 'component' ? attribute.component : String(item.__component)
        if (attribute.kind === 'zone' && !attribute.components.includes(uid)) return []
        return [[uid, item.id ?? null, modelRow(registry.component(uid), item, registry)]]
      })
      // A single component is the first, as everywhere.
      const single = attribute.kind === 'component' && !attribute.repeatable
      if (items.length > 0) row.push([name, single ? items.slice(0, 1) : items])
    }
  }
  return row.sort(([a], [b]) => (a < b ? -1 : 1))
}

function canonicalValue({ type, definition }: ScalarAttribute, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (type.name) {
    case 'datetime':
      return new Date(String(type.fromJson(value, definition))).toISOString()
    case 'date':
      return String(value).slice(0, 10)
    case 'time':
      return canonicalTime(String(value))
    case 'timestamp':
      return /^-?\d+$/.test(String(value)) ? String(value) : String(Date.parse(String(value)))
    case 'biginteger':
      return String(value)
    case 'integer':
    case 'float':
    case 'decimal':
      return Number(value)
    case 'boolean':
      return value === true || value === 1 || value === 'true' || value === '1'
    case 'json':
    case 'blocks':
      return sorted(value)
    default:
      return String(value)
  }
}

/** `09:00` and `09:00:00.000` are the same. */
function canonicalTime(text: string): string {
  const [, hours, minutes, seconds = '00', fraction = ''] =
    /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?$/.exec(text) ?? []
  return `${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`
}

/** With sorted keys of objects, since the database does not preserve their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, item]) => [key, sorted(item)])
}
