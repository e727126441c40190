import type { ContentType, Model, Registry } from '@octavo/core/plugin'
import { userUid, withoutCounterpart } from '../model/uids.ts'
import type { Data, EntityRecord } from '../records.ts'

/** Codes of users, which Octavo stores as hashes. */
const pendingCodes: ReadonlySet<string> = new Set(['resetPasswordToken', 'confirmationToken'])

/** An entry as a record: values and components, without relations. */
export function entityOf(type: ContentType, values: Data, registry: Registry): EntityRecord {
  return { type: type.uid, id: Number(values.id), data: dataOf(type, values, registry) }
}

function dataOf(model: Model, values: Data, registry: Registry): Data {
  const left = withoutCounterpart(model.uid)
  const scalars: [string, unknown][] = []
  const components: [string, unknown][] = []
  for (const attribute of model.attributes.values()) {
    const { name } = attribute
    if (attribute.kind === 'relation' || left.includes(name)) continue
    if (model.uid === userUid && pendingCodes.has(name)) continue
    if (attribute.kind === 'scalar') scalars.push([name, values[name] ?? null])
    else if (attribute.kind === 'component')
      components.push([name, map(values[name], (item) => itemOf(attribute.component, item, registry))])
    else
      components.push([
        name,
        map(values[name], (item) => ({
          __component: item.__component,
          ...itemOf(String(item.__component), item, registry),
        })),
      ])
  }
  return Object.fromEntries([...scalars, ...components])
}

const itemOf = (uid: string, item: Data, registry: Registry): Data => ({
  id: item.id,
  ...dataOf(registry.component(uid), item, registry),
})

/** Of one component, a list of them, or none. */
const map = (value: unknown, toItem: (item: Data) => Data): unknown =>
  Array.isArray(value) ? value.map((item: Data) => toItem(item)) : value ? toItem(value as Data) : null
