import { sql, type Transaction } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import {
  type Attribute,
  type ComponentAttribute,
  type EntryInput,
  isUnrestricted,
  type Model,
  type PluginHost,
  type Registry,
  type WriteEvent,
} from '@octavo/core/plugin'
import { creatorAttributes, fileUid, hasCreator } from '../content-types.ts'
import { problem } from '../problems.ts'
import { type Editor, editorOf } from './caller.ts'
import { opens } from './grants.ts'
import { publishes } from './narrow.ts'
import { type ContentRight, reachesAll } from './right.ts'

/** Names that the server sets or that other plugins read; a body may have them, as an answer does. */
const ofTheServer: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'updatedAt',
  // Checked as a right of its own.
  'publishedAt',
  'locale',
  'localizations',
  ...creatorAttributes,
])

/** Registers the write hooks: who made an entry, which attributes an editor may write, and what it may publish. */
export function guardWrites(host: PluginHost, registry: () => Registry): void {
  const types = hasCreator
  host.hook('entry:input', withoutCreator, { types, database: false })
  host.hook('entry:input', withCreator, { types, database: false })
  host.hook('entry:writable', ({ name }, { type }) =>
    hasCreator(type) && (creatorAttributes as readonly string[]).includes(name) ? false : undefined,
  )
  const isChecked = (event: Pick<WriteEvent, 'by' | 'state' | 'type'>): boolean =>
    event.by === 'caller' && editorOf(event.state) !== undefined && event.type.uid !== fileUid
  host.hook('entry:input', (input, event) => permitted(input, event, registry()), {
    types,
    when: isChecked,
    // Only parts of components that the editor may not see need the stored ones.
    database: ({ action, type, state, input }) => {
      const rights = action === 'update' ? editorOf(state)?.grants.of(type.uid, 'update') : undefined
      return rights !== undefined && hasPartialComponents(type, input, rights)
    },
  })
  const changesPublication = (event: Pick<WriteEvent, 'by' | 'state' | 'type' | 'input'>): boolean =>
    isChecked(event) &&
    event.type.attributes.has('publishedAt') &&
    Object.hasOwn(event.input, 'publishedAt') &&
    !publishesAll(event)
  const require = (event: WriteEvent): Promise<void> =>
    event.entries.requireChangeable(event.type.uid, event.id === undefined ? [] : [event.id], ['publishedAt'])
  for (const hook of ['entry:beforeUpdate', 'entry:afterUpdate'] as const)
    host.hook(hook, require, { types, when: changesPublication })
  host.hook('entry:afterCreate', require, {
    types,
    when: (event) => changesPublication(event) && event.input.publishedAt !== null,
  })
}

/** Whether the caller is an editor, a user or a token. */
const isKnown = ({ state }: Pick<WriteEvent, 'state'>): boolean =>
  editorOf(state) !== undefined || /^(user|token) /.test(state.caller ?? '')

/** Whether an editor may publish each entry of a content-type, so that no entry has to be looked at. */
const publishesAll = ({ state, type }: Pick<WriteEvent, 'state' | 'type'>): boolean =>
  editorOf(state)
    ?.grants.of(type.uid, 'publish')
    .some((right) => reachesAll(right, {})) === true

/** Whether a program or a plugin writes, which may set the creators itself. */
const isOwnWrite = (event: Pick<WriteEvent, 'by' | 'state'>): boolean =>
  !isKnown(event) && (event.by === 'plugin' || isUnrestricted(event.state))

/** A step of its own: a value that is removed and set again is not the caller's, who could otherwise name an editor. */
function withoutCreator(input: EntryInput, event: WriteEvent): EntryInput {
  if (isOwnWrite(event) || !creatorAttributes.some((name) => Object.hasOwn(input, name))) return input
  const set: ReadonlySet<string> = new Set(creatorAttributes)
  return Object.fromEntries(Object.entries(input).filter(([name]) => !set.has(name)))
}

/** The author of a change of an entry: an editor, a user or a token. */
function withCreator(input: EntryInput, event: WriteEvent): EntryInput {
  if (isOwnWrite(event)) return input
  const id = editorOf(event.state)?.id ?? null
  const name = isKnown(event) ? (event.state.caller ?? null) : null
  const made = event.action === 'create' && { createdBy: id, createdByCaller: name }
  return { ...input, ...made, updatedBy: id, updatedByCaller: name }
}

/**
 * The input of an editor. New entries are drafts unless they name a time of publication.
 * @throws ForbiddenError that names an attribute that the editor may not write.
 */
async function permitted(input: EntryInput, event: WriteEvent, registry: Registry): Promise<EntryInput> {
  const editor = editorOf(event.state) as Editor // by the filter of the handler
  const { type, action, entries, id } = event
  const drafted =
    action === 'create' && type.attributes.has('publishedAt') && input.publishedAt === undefined
      ? { ...input, publishedAt: null }
      : input
  if (publishes(editor) && Object.keys(input).every((name) => ofTheServer.has(name))) return drafted
  const rights = editor.grants.of(type.uid, action === 'create' ? 'create' : 'update')
  const check = new FieldCheck(rights, registry, action === 'update' ? entries : undefined)
  return check.values(type, drafted, [], id)
}

/** Whether an input has a component of which the editor may write a part. */
const hasPartialComponents = (
  { attributes }: Model,
  input: EntryInput,
  rights: readonly ContentRight[],
): boolean =>
  Object.keys(input).some((name) => {
    const attribute = attributes.get(name)
    return attribute?.kind === 'component' && opens(rights, name, true) && !opens(rights, name, false)
  })

/** The refusal of an attribute. Pages show it at the field, which `details` names for them. */
const notWritable = (field: string) => problem('desk/field', { field }, { details: { field } })

/** Checks the attributes of an input, those of components by path. */
class FieldCheck {
  readonly #rights: readonly ContentRight[]
  readonly #registry: Registry
  /** For updates: reads the stored components. */
  readonly #db: Transaction | undefined

  constructor(rights: readonly ContentRight[], registry: Registry, db: Transaction | undefined) {
    this.#rights = rights
    this.#registry = registry
    this.#db = db
  }

  /** @param id The stored row; `undefined` for a new one. @throws ForbiddenError `desk/field` */
  async values(
    model: Model,
    input: EntryInput,
    path: readonly string[],
    id: number | undefined,
  ): Promise<EntryInput> {
    const checked: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(input)) {
      const attribute = model.attributes.get(name)
      const isOfServer = path.length === 0 ? ofTheServer.has(name) : name === 'id' || name === '__component'
      checked[name] =
        isOfServer || (!attribute && !model.morphs.has(name))
          ? value
          : await this.#value(model, attribute, name, value, path, id)
    }
    return checked
  }

  async #value(
    model: Model,
    attribute: Attribute | undefined,
    name: string,
    value: unknown,
    path: readonly string[],
    id: number | undefined,
  ): Promise<unknown> {
    const here = [...path, name]
    const text = here.join('.')
    if (opens(this.#rights, text, false)) return value
    // Dynamic zones are written as a whole.
    if (attribute?.kind !== 'component' || !opens(this.#rights, text, true)) throw notWritable(text)
    const stored = id === undefined || !this.#db ? [] : await this.#stored(model, attribute, id, this.#db)
    const items = Array.isArray(value) ? value : value === null ? [] : [value]
    const checked: unknown[] = []
    for (const item of items) {
      // The database refuses a value that is not an object.
      if (!isObject(item)) return value
      checked.push(await this.#item(attribute, item, here, stored, Array.isArray(value)))
    }
    // A part that is left out would be deleted with the values that the editor may not write.
    const kept = new Set(checked.map((item) => Number((item as EntryInput).id)))
    if (stored.some((one) => !kept.has(one))) throw notWritable(text)
    return Array.isArray(value) ? checked : (checked[0] ?? null)
  }

  async #item(
    attribute: ComponentAttribute,
    item: EntryInput,
    path: readonly string[],
    stored: readonly number[],
    isList: boolean,
  ): Promise<EntryInput> {
    const model = this.#registry.component(attribute.component)
    // The stored component is changed in place: a new one would not have the values that the editor may not write.
    const [only] = stored
    const id = item.id ?? (isList ? undefined : only)
    const named = id !== undefined && stored.includes(Number(id)) ? Number(id) : undefined
    const values = await this.values(model, item, path, named)
    return named === undefined ? values : { ...values, id: named }
  }

  /** The ids of the components of an attribute. */
  async #stored(
    model: Model,
    { component, name }: ComponentAttribute,
    id: number,
    db: Transaction,
  ): Promise<readonly number[]> {
    const { table } = this.#registry.component(component)
    const rows = await db.run(
      sql`select "id" from ${sql.id(table)} where "owner_type" = ${model.uid} and "owner_id" = ${id} and "field" = ${name}`,
    )
    return rows.map((row) => Number(row.id))
  }
}
