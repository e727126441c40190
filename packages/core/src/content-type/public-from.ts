import { InvalidValue } from './attribute-type.ts'
import type { ContentType, ScalarAttribute } from './model.ts'

/** The attribute with the time from which an entry is public; `undefined` where no entry of the type has to wait for one. */
export const publicFromOf = ({ attributes }: ContentType): ScalarAttribute | undefined =>
  [...attributes.values()].find(
    (attribute): attribute is ScalarAttribute =>
      attribute.kind === 'scalar' && attribute.definition.publicFrom === true,
  )

/** Whether a value of an input for this attribute is a time after `now`; `undefined` for a value that the write will refuse. */
export function isLater(
  { type, definition }: ScalarAttribute,
  value: unknown,
  now: Date,
): boolean | undefined {
  if ((value ?? null) === null) return false
  try {
    return Date.parse(String(type.fromJson(value, definition))) > now.getTime()
  } catch (error) {
    if (error instanceof InvalidValue) return undefined
    throw error
  }
}

/** The updates after which an entry will be public at a later time, as the plugin that hides it names them in `entry:change`. */
export const laterChanges = ['scheduled', 'postponed'] as const

/**
 * Whether a write may leave an entry that becomes public at a later time.
 * @param now The clock that gives new entries their time, which may be some milliseconds ahead of the database's: by that one they would have to wait.
 */
export const mayBePublicLater = (
  write: {
    readonly action: string
    readonly changes: readonly string[]
    readonly input: Readonly<Record<string, unknown>>
  },
  attribute: ScalarAttribute,
  now: Date,
): boolean =>
  write.action === 'create'
    ? isLater(attribute, write.input[attribute.name], now) === true
    : write.changes.some((change) => laterChanges.some((later) => later === change))
