import { isObject } from '@octavo/core/internal'
import type { Model, Registry } from '@octavo/core/plugin'
import { isTaken } from '../model/uids.ts'
import type { Data } from '../records.ts'
import type { WrongValue } from './check-values.ts'

interface ShapeReceiver {
  /** A value that is no component. */
  wrong(value: WrongValue): void
  /** An item of a zone whose component the definitions do not have there. Other items are imported. */
  unknown(value: WrongValue): void
  /** A value of an attribute that the definitions do not have: `shared.seo.robots`. */
  leftOut(attribute: string): void
}

/** Keys of components in an entry that are no attributes. */
const ofItems: ReadonlySet<string> = new Set(['id', '__component'])

/** Reports what `entryValues` leaves out of the data of a source, at any depth. */
export function checkShape(
  model: Model,
  data: Data,
  registry: Registry,
  receiver: ShapeReceiver,
  path = '',
): void {
  for (const [name, value] of Object.entries(data)) {
    const attribute = model.attributes.get(name)
    if ((!attribute && !ofItems.has(name)) || (value !== null && isTaken(model.uid, name)))
      receiver.leftOut(`${model.uid}.${name}`)
    if (value === null || (attribute?.kind !== 'component' && attribute?.kind !== 'zone')) continue
    if (attribute.kind === 'zone' && !Array.isArray(value))
      receiver.wrong({ path: `${path}${name}`, message: 'must be a list' })
    for (const [i, item] of [value].flat().entries()) {
      const at = Array.isArray(value) ? `${path}${name}[${i}]` : `${path}${name}`
      const given: Data = isObject(item) ? item : {}
      const uid = attribute.kind === 'component' ? attribute.component : String(given.__component)
      if (attribute.kind === 'component' && !isObject(item))
        receiver.wrong({ path: at, message: 'must be a component' })
      else if (attribute.kind === 'zone' && !attribute.components.includes(uid))
        receiver.unknown({ path: at, message: `is a ${uid}, which the definitions do not have there` })
      else checkShape(registry.component(uid), given, registry, receiver, `${at}.`)
    }
  }
}
