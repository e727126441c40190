/** Random entries and random edits of a form. */
import fc from 'fast-check'
import {
  type AttributeDefinition,
  type Form,
  type FormModel,
  fieldsOf,
  type GroupValue,
  readEntry,
  schemaOf,
} from '../../src/form/index.ts'
import { type Attributes, Ids, type Stored } from './stored.ts'

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('', '<b>bold</b> & *more*', '日本語', 'a\r\nb\u0000'),
)

/** Rich text with nodes that no editor knows. */
const blocks = fc.array(
  fc.record({
    type: fc.constantFrom('paragraph', 'heading', 'callout', 'unknown-node'),
    level: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    children: fc.array(fc.record({ type: fc.constant('text'), text, extra: fc.jsonValue({ maxDepth: 1 }) }), {
      maxLength: 2,
    }),
  }),
  { maxLength: 3 },
)

function scalar({ type, enum: values }: AttributeDefinition): fc.Arbitrary<unknown> {
  switch (type) {
    case 'integer':
      return fc.integer()
    case 'float':
    case 'decimal':
      return fc.integer().map((n) => n / 100)
    case 'biginteger':
    case 'timestamp':
      return fc.bigInt().map(String)
    case 'boolean':
      return fc.boolean()
    case 'json':
      return fc.jsonValue({ maxDepth: 2 })
    case 'blocks':
      return blocks
    case 'enumeration':
      return fc.constantFrom(...((values as readonly string[] | undefined) ?? ['']))
    case 'datetime':
      return fc.constantFrom('2024-01-31T09:00:00.000Z', '2025-06-01T12:30:00.250Z')
    default:
      return text
  }
}

const linked = fc
  .uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 6 })
  .map((ids) => ids.map((id) => ({ id, attributes: { name: `entry ${id}` } })))

function attributesOf(model: FormModel, uid: string, depth: number): fc.Arbitrary<Attributes> {
  const parts: Record<string, fc.Arbitrary<unknown>> = {}
  for (const { name, definition, shape } of fieldsOf(schemaOf(model, uid))) {
    switch (shape.kind) {
      case 'scalar':
        if (definition.type !== 'password') parts[name] = fc.option(scalar(definition))
        break
      case 'relation':
        parts[name] = linked.map((data) => ({ data: shape.many ? data : (data[0] ?? null) }))
        break
      case 'components': {
        const item = fc.oneof(
          ...shape.uids.map((one) =>
            attributesOf(model, one, depth - 1).map((fields) => ({ ...fields, __component: one })),
          ),
        )
        const max = depth > 0 ? 3 : 0
        parts[name] = shape.many
          ? fc.array(item, { maxLength: max })
          : depth > 0
            ? fc.option(item)
            : fc.constant(null)
        break
      }
    }
  }
  return fc.record(parts)
}

/** A stored entry. Components get their ids in order. */
export const storedEntry = (model: FormModel, uid: string): fc.Arbitrary<{ stored: Stored; ids: Ids }> =>
  attributesOf(model, uid, 3).map((attributes) => {
    const ids = new Ids()
    return { stored: { id: 7, attributes: numbered(model, uid, attributes, ids) }, ids }
  })

function numbered(model: FormModel, uid: string, attributes: Attributes, ids: Ids): Attributes {
  const done: Record<string, unknown> = { ...attributes }
  for (const { name, shape } of fieldsOf(schemaOf(model, uid))) {
    if (shape.kind !== 'components') continue
    const number = (item: Attributes): Attributes => {
      const { __component, ...fields } = item
      const own = String(__component)
      return {
        ...numbered(model, own, fields, ids),
        ...(shape.zone && { __component: own }),
        id: ids.next(own),
      }
    }
    const value = attributes[name]
    done[name] = Array.isArray(value) ? value.map(number) : value ? number(value as Attributes) : null
  }
  return done
}

/** A loaded entry, as the base of a form. */
export const loadedEntry = (model: FormModel, uid: string): fc.Arbitrary<GroupValue> =>
  storedEntry(model, uid).map(({ stored }) => readEntry(model, uid, stored))

/** Numbers that {@link edit} turns into an edit: which node, what, and where. */
export type Choice = readonly [number, number, number]
export const choices = (maxLength: number): fc.Arbitrary<readonly Choice[]> =>
  fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength })

const values: Readonly<Record<string, (n: number) => unknown>> = {
  integer: (n) => n % 100,
  float: (n) => n / 8,
  decimal: (n) => (n % 1_000) / 100,
  biginteger: String,
  timestamp: String,
  boolean: (n) => n % 2 === 0,
  json: (n) => ({ n, list: [n, null] }),
  blocks: (n) => [{ type: 'unknown-node', n, children: [{ type: 'text', text: `<i>${n}</i>` }] }],
  datetime: (n) => new Date(1_700_000_000_000 + n).toISOString(),
}

export const scalarValue = ({ type }: AttributeDefinition, n: number): unknown =>
  n % 7 === 0 ? null : (values[type]?.(n) ?? `typed ${n} <em>&amp;</em>`)

/** Changes one field of a form, by chance. */
export function edit(form: Form, [which, what, where]: Choice): void {
  const fields = attached(form)
  const node = fields[which % fields.length]
  if (!node || node.kind === 'group') return
  if (node.kind === 'scalar') {
    form.set(node.key, scalarValue(node.definition, what), { typing: where % 2 === 0 })
    return
  }
  if (node.kind === 'relation') {
    const id = (what % 12) + 1
    if (what % 3 === 0) form.unlink(node.key, node.items[where % Math.max(1, node.items.length)]?.id ?? 0)
    else form.link(node.key, { id, attributes: { name: `entry ${id}` } }, where % (node.items.length + 1))
    return
  }
  const item = node.items[where % Math.max(1, node.items.length)]
  const uid = node.shape.uids[what % node.shape.uids.length]
  if (item !== undefined && what % 4 === 0) form.remove(item)
  else if (item !== undefined && what % 4 === 1) form.move(item, what % node.items.length)
  else if (item !== undefined && what % 4 === 2)
    form.insert(node.key, form.copied(item), where % (node.items.length + 1))
  else if (uid !== undefined) form.insert(node.key, uid, where % (node.items.length + 1))
}

function attached(form: Form, key = ''): readonly ReturnType<Form['get']>[] {
  const node = form.get(key)
  const below =
    node.kind === 'group' ? Object.values(node.fields) : node.kind === 'components' ? node.items : []
  return [...(node.kind === 'group' ? [] : [node]), ...below.flatMap((child) => attached(form, child))]
}

/** Options with keys in order, so that a failure repeats. */
export function quiet(prefix = ''): { readonly newKey: () => string; readonly now: () => number } {
  let [key, time] = [0, 0]
  return {
    newKey: () => {
      key += 1
      return `+${prefix}${key}`
    },
    now: () => {
      time += 300
      return time
    },
  }
}
