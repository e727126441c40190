import type { Octavo, RequestState } from '@octavo/core'
import { permissionCondition } from '@octavo/core/internal'
import {
  type Attribute,
  type AttributePlace,
  allOf,
  anyOf,
  type Condition,
  compare,
  constant,
  type Model,
  type Narrowing,
  type NodeView,
  type PluginHost,
  type ReadContext,
  type RuntimeValue,
} from '@octavo/core/plugin'
import { LRUCache } from 'lru-cache'
import { editorUid, fileUid, hasCreator } from '../content-types.ts'
import { problem } from '../problems.ts'
import { type Editor, editorOf } from './caller.ts'
import { type Grants, opens, ownIdName } from './grants.ts'
import type { ContentRight, RightAction } from './right.ts'

/** Maximum number of different rights in memory; far more than a server has roles. */
const cachedGrants = 5_000

/** Attributes of each entry that an editor sees who may read the entry. */
export const alwaysShown: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
  'createdBy',
  'updatedBy',
  'createdByCaller',
  'updatedByCaller',
])

/** Types whose rows every editor may see: the locales, and the names of people. */
const shownToAll: ReadonlySet<string> = new Set(['plugin::i18n.locale', editorUid])

/** The right that an action at the root of a query or a write needs. */
const rightOf: Readonly<Record<string, RightAction>> = {
  find: 'read',
  findOne: 'read',
  count: 'read',
  // The source of a new localization.
  createLocalization: 'read',
  create: 'create',
  update: 'update',
  replace: 'update',
  delete: 'delete',
  publish: 'publish',
}

interface Caller {
  readonly grants: Grants
  /** Whether the route of the request publishes, which needs no `update`. */
  readonly publishes: boolean
}

export const publishes = ({ admitted = '' }: Pick<Editor, 'admitted'>): boolean =>
  /\.(un)?publish$/.test(admitted)

/** Whether a permission covers files and other parts of an entry, which belong to it. */
const isPart = (via: Attribute | undefined): boolean => via?.kind === 'relation' && via.part

/** Whether an editor may only make the entry of a single type, which its first update does. It finds none to change then. */
const isBegun = (model: Model, grants: Grants): boolean =>
  model.kind === 'singleType' &&
  grants.of(model.uid, 'update').length === 0 &&
  grants.of(model.uid, 'create').length > 0

/** Narrows reads and writes of editors to their rights, by the hooks that narrow those of users. */
export class EditorRights {
  readonly #octavo: () => Octavo
  readonly #ownId: RuntimeValue

  constructor(octavo: () => Octavo, ownId: RuntimeValue) {
    this.#octavo = octavo
    this.#ownId = ownId
  }

  /**
   * The condition of rights to one action; `forbid` without any, `undefined` for all entries.
   * @throws ForbiddenError `desk/broken-right` for a stored mistake in `where`, such as an attribute that the content-type no longer has
   */
  reach(rights: readonly ContentRight[], model: Model): Narrowing | undefined {
    if (rights.length === 0) return 'forbid'
    const conditions = rights.map((right) => this.#stored(right, model))
    return conditions.every((condition) => condition !== undefined) ? anyOf(conditions) : undefined
  }

  #stored(right: ContentRight, model: Model): Condition | undefined {
    try {
      return this.condition(right, model)
    } catch (error) {
      const { action, type } = right
      throw problem('desk/broken-right', { action, type, mistake: (error as Error).message })
    }
  }

  /** @throws Error for a mistake in `where` */
  condition({ locales, where }: ContentRight, model: Model): Condition | undefined {
    const locale = model.attributes.get('locale')
    return allOf([
      locales && locale?.kind === 'scalar' ? compare(locale, '$in', locales) : undefined,
      where &&
        permissionCondition(where, model, this.#octavo().registry, new Map([[ownIdName, this.#ownId]])),
    ])
  }

  narrow(
    { model, use, via, attribute }: NodeView,
    caller: Caller,
    context: ReadContext,
  ): Narrowing | undefined {
    // Components and attached files belong to their entry.
    if (model.kind === 'component' || (isPart(via) && use !== 'named')) return undefined
    const reach = (action: RightAction): Narrowing | undefined =>
      this.reach(caller.grants.of(model.uid, action), model)
    switch (use) {
      case 'root': {
        const action = caller.publishes && context.action === 'update' ? 'publish' : rightOf[context.action]
        if (shownToAll.has(model.uid) && !action) return undefined
        if (action === 'update' && isBegun(model, caller.grants)) return constant(false)
        return action ? reach(action) : 'forbid'
      }
      case 'populate':
      case 'filter':
      case 'sort':
        return shownToAll.has(model.uid) ? undefined : reach('read')
      case 'answer':
        return reach('read')
      case 'changed':
        return reach(attribute?.name === 'publishedAt' ? 'publish' : 'update')
      case 'named':
        return this.#nameable(model, reach('read'))
    }
  }

  /** An editor may refer to entries that it may read, and to files that it uploaded. */
  #nameable(model: Model, read: Narrowing | undefined): Narrowing | undefined {
    if (model.uid !== fileUid || read === undefined) return read
    const own = this.condition({ action: 'read', type: fileUid, where: { createdBy: ownIdName } }, model)
    if (read === 'forbid') return own ?? 'forbid'
    return own ? anyOf([own, read]) : read
  }

  /** `false`: the attribute is hidden from the editor, or may not be changed. */
  shows({ name }: Pick<Attribute, 'name'>, place: AttributePlace, { grants }: Caller): false | undefined {
    const { model, use, within } = place
    if (model.kind === 'component' && !within) return undefined
    const owner = within?.owner ?? model
    if (shownToAll.has(owner.uid)) return undefined
    const action = use !== 'changed' ? 'read' : name === 'publishedAt' ? 'publish' : 'update'
    const rights = grants.of(owner.uid, action)
    // Without a right nothing is read: the root of a create shows the id only.
    if (rights.length === 0) return false
    if (!within && alwaysShown.has(name)) return undefined
    const path = [...(within?.path ?? []), name].join('.')
    // A write that an editor may carry over to a localization has changed no part of a component but its own.
    const isPartEnough = use !== 'changed' || owner.attributes.get(name)?.kind === 'component'
    return opens(rights, path, isPartEnough) ? undefined : false
  }
}

/** Private attributes of the content and the folders of files, of which {@link EditorRights.shows} hides those that the editor may not read. */
const opensPrivate = ({ name }: Pick<Attribute, 'name'>, { model, within }: AttributePlace): boolean => {
  const owner = within?.owner ?? model
  if (owner.uid.startsWith('api::')) return true
  return !within && hasCreator(owner) && (alwaysShown.has(name) || name === 'folderPath')
}

/** Registers the read hooks. */
export function narrowReads(host: PluginHost, octavo: () => Octavo): EditorRights {
  // The grants by their key. A read hook has the fact's text only, which is this key.
  const known = new LRUCache<string, Grants>({ maxSize: cachedGrants, sizeCalculation: () => 1 })
  const fact = host.fact('editor', (state: RequestState) => {
    const editor = editorOf(state)
    if (!editor) return ''
    known.set(editor.grants.key, editor.grants)
    return `${editor.grants.key} ${publishes(editor) ? 'publishes' : ''}`
  })
  const ownId = host.runtimeValue('editor.id', (state) => editorOf(state)?.id ?? null)
  const rights = new EditorRights(octavo, ownId)
  const callerIn = (context: ReadContext): Caller | undefined => {
    const text = context.fact(fact)
    if (text === '') return undefined
    const [key = '', more] = text.split(' ')
    const grants = known.get(key)
    if (!grants) throw new Error('The rights of the editor are not in memory')
    return { grants, publishes: more === 'publishes' }
  }
  host.hook('query:node', (node, context) => {
    const caller = callerIn(context)
    return caller && rights.narrow(node, caller, context)
  })
  host.hook('query:attribute', (attribute, place, context) => {
    const caller = callerIn(context)
    return caller && rights.shows(attribute, place, caller)
  })
  host.hook('query:private', (attribute, place, context) =>
    callerIn(context) ? opensPrivate(attribute, place) : undefined,
  )
  return rights
}
