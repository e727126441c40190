import { brief } from '@octavo/core/internal'
import {
  type ContentType,
  InvalidValue,
  isId,
  type Model,
  type Registry,
  type ScalarAttribute,
} from '@octavo/core/plugin'
import type { Data } from '../records.ts'

/** A value that the definition forbids. */
export interface WrongValue {
  /** `seo.keywords[0].word` */
  readonly path: string
  readonly message: string
}

/** Records a component; `false` if its id exists already. */
export type SeenComponent = (uid: string, id: number) => boolean

/** Checks the values of an entry and of its components, in the form of `entryValues`. */
export function checkValues(
  type: ContentType,
  values: Data,
  registry: Registry,
  component: SeenComponent,
): readonly WrongValue[] {
  const wrong: WrongValue[] = []
  check(type, values, '')
  return wrong

  function check(model: Model, data: Data, path: string): void {
    for (const attribute of model.attributes.values()) {
      const at = `${path}${attribute.name}`
      const value = data[attribute.name]
      if (attribute.kind === 'relation' || value === null || value === undefined) continue
      if (attribute.kind === 'scalar') {
        for (const message of mistakesOf(attribute, value)) wrong.push({ path: at, message })
        continue
      }
      const list = (Array.isArray(value) ? value : [value]) as readonly Data[] // entryValues makes them
      list.forEach((item, i) => {
        const uid = attribute.kind === 'component' ? attribute.component : String(item.__component)
        const itemPath = Array.isArray(value) ? `${at}[${i}]` : at
        if (!isId(item.id))
          wrong.push({
            path: `${itemPath}.id`,
            message: `must be a whole number from 1 to 2147483647, not ${brief(item.id)}`,
          })
        else if (!component(uid, item.id))
          wrong.push({ path: itemPath, message: `${uid} ${item.id} is part of another entry too` })
        check(registry.component(uid), item, `${itemPath}.`)
      })
    }
  }
}

function mistakesOf({ type, definition }: ScalarAttribute, value: unknown): readonly string[] {
  try {
    const read = type.fromJson(value, definition)
    // The rules for a password are about its text, and this is its hash. Anything else may be a password, and is not shown.
    if (type.secret) return type.isHashed?.(read) === false ? ['must be a hash of bcrypt'] : []
    const violations =
      type.name === 'decimal' && Number(read) !== Number(value)
        ? ['must have at most two digits after the point, as a decimal keeps no more (and a float all)']
        : type.constraints(read, definition)
    return violations.map((violation) => `${violation}, not ${brief(value)}`)
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    return [`must be ${error.message}, not ${brief(value)}`]
  }
}
