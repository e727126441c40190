/** A model of the server: entries as answers have them, and updates of parts as docs/contract/writing.md describes them. */
import { type AttributeDefinition, type FormModel, fieldsOf, schemaOf } from '../../src/form/index.ts'

export type Attributes = Readonly<Record<string, unknown>>

export interface Stored {
  readonly id: number
  readonly attributes: Attributes
}

type Item = Readonly<Record<string, unknown>>

/** Gives ids of components, which are unique per uid. */
export class Ids {
  readonly #last = new Map<string, number>()

  next(uid: string): number {
    const id = (this.#last.get(uid) ?? 0) + 1
    this.#last.set(uid, id)
    return id
  }
}

/** The entry after a PUT of parts. */
export const put = (model: FormModel, uid: string, stored: Stored, body: Attributes, ids: Ids): Stored => ({
  id: stored.id,
  attributes: written(model, uid, stored.attributes, body, ids),
})

function written(
  model: FormModel,
  uid: string,
  before: Attributes | undefined,
  body: Attributes,
  ids: Ids,
): Attributes {
  const after: Record<string, unknown> = { ...before }
  for (const { name, definition, shape } of fieldsOf(schemaOf(model, uid))) {
    const given = Object.hasOwn(body, name) ? body[name] : undefined
    if (given === undefined && before) continue
    switch (shape.kind) {
      case 'scalar':
        if (definition.type !== 'password')
          after[name] = given === undefined ? (definition.default ?? null) : given
        break
      case 'relation': {
        const linked = (before?.[name] as { data?: unknown } | undefined)?.data
        const old = (Array.isArray(linked) ? linked : linked ? [linked] : []).map(
          ({ id }: { id: number }) => id,
        )
        const now = given === undefined ? [] : relation(old, given)
        const entries = now.map((id) => ({ id, attributes: { name: `entry ${id}` } }))
        after[name] = { data: shape.many ? entries : (entries[0] ?? null) }
        break
      }
      case 'components': {
        const old = list(before?.[name])
        const items = list(given).map((item): Item => component(model, definition, old, item, ids))
        after[name] = shape.many ? items : (items[0] ?? null)
        break
      }
    }
  }
  return after
}

const list = (value: unknown): readonly Item[] =>
  value === null || value === undefined ? [] : ((Array.isArray(value) ? value : [value]) as readonly Item[])

function component(
  model: FormModel,
  definition: AttributeDefinition,
  old: readonly Item[],
  given: Item,
  ids: Ids,
): Item {
  const isZone = definition.type === 'dynamiczone'
  const uid = String(isZone ? given.__component : definition.component)
  const stored = old.find(({ id, __component }) => id === given.id && (!isZone || __component === uid))
  if (given.id !== undefined && !stored) throw new Error(`The entry has no component ${uid} ${given.id}.`)
  const id = stored?.id ?? ids.next(uid)
  return { ...(isZone && { __component: uid }), ...written(model, uid, stored, given, ids), id }
}

function relation(old: readonly number[], given: unknown): readonly number[] {
  if (given === null) return []
  if (typeof given === 'number') return [given]
  if (Array.isArray(given)) return given as readonly number[]
  const { connect = [], disconnect = [] } = given as {
    connect?: readonly { id: number; position?: { start?: true; after?: number } }[]
    disconnect?: readonly number[]
  }
  let now = old.filter((id) => !disconnect.includes(id))
  for (const { id, position } of connect) {
    const others = now.filter((one) => one !== id)
    if (position?.after !== undefined && !others.includes(position.after))
      throw new Error(`${position.after} is not in the list.`)
    const at = position?.start
      ? 0
      : position?.after !== undefined
        ? others.indexOf(position.after) + 1
        : others.length
    now = others.toSpliced(at, 0, id)
  }
  return now
}
