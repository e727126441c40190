import type { Where } from '@octavo/core'
import { isContentAction, isWriteAction, permissionCondition } from '@octavo/core/internal'
import {
  type Attribute,
  allOf,
  anyOf,
  type Condition,
  type Model,
  type Narrowing,
  type NodeView,
  type ReadContext,
  type Registry,
  type RuntimeValue,
} from '@octavo/core/plugin'
import { permissionUid, roleUid, userUid } from '../content-types.ts'
import type { Caller } from './caller.ts'
import type { DeclaredActions } from './declared-actions.ts'
import type { Grants, Permission } from './grants.ts'

/** The name of the caller's id in `where`. */
const ownIdName = '$user.id'

/** Whether this plugin checks the rights on a type. Other plugins' types are served by those plugins' routes, which check rights. */
export const isGuarded = (model: Model): boolean =>
  model.uid.startsWith('api::') || [userUid, roleUid, permissionUid].includes(model.uid)

/** The permission under which a request reads or writes the entries at its root. */
export function permissionAtRoot(
  model: Model,
  action: string,
  { grants, admitted = '' }: Pick<Caller, 'grants' | 'admitted'>,
  actions: DeclaredActions,
): Permission | undefined {
  const route = actions.entriesOf(admitted, model)
  // A plugin's own route (such as publish) reads and writes under the permission of that route.
  if (route && !isContentAction(route.as)) return grants.of(admitted)
  const own = grants.of(actions.nameOf(model, action))
  if (own) return own
  // The first update of a single type creates its entry.
  if (model.kind === 'singleType' && action === 'create' && admitted === '')
    return grants.of(`${model.uid}.update`)
  // A right to change is not a right to read: a write reads, for `If-Match`, only the part of an entry that the caller finds.
  if (route && isWriteAction(route.as) && isContentAction(action) && !isWriteAction(action))
    return grants.of(actions.nameOf(model, 'find'))
  return route && grants.of(admitted)
}

export interface RightsOptions {
  readonly callerIn: (context: ReadContext) => Required<Pick<Caller, 'grants' | 'admitted'>>
  readonly registry: () => Registry
  readonly actions: DeclaredActions
  readonly ownId: RuntimeValue
  readonly farSide: 'update' | 'find'
}

/** Narrows plans to the entries that a role may read, refer to and change. */
export class Rights {
  readonly #options: RightsOptions

  constructor(options: RightsOptions) {
    this.#options = options
  }

  narrow(node: NodeView, context: ReadContext): Narrowing | undefined {
    const { model, use, via } = node
    // Components and attached files belong to their entry.
    if (model.kind === 'component') return undefined
    if (isPart(via) && use !== 'named') return undefined
    const { grants } = this.#options.callerIn(context)
    switch (use) {
      case 'root':
        return this.#checksRights(model, context) ? this.#atRoot(model, grants, context) : undefined
      case 'populate':
      case 'filter':
      case 'sort':
        return this.#under(this.#granted(model, 'find', grants), model)
      case 'named':
        return this.#nameable(node, grants)
      case 'changed':
        return this.#isFindEnough(node, grants)
          ? undefined
          : this.#under(this.#granted(model, 'update', grants), model)
      case 'answer':
        return this.#checksRights(model, context) ? this.#readable(model, grants, context.action) : undefined
    }
  }

  /** `false`: the attribute is hidden from the caller. */
  shows(
    attribute: Pick<Attribute, 'name'>,
    { model, use }: Pick<NodeView, 'model' | 'use'>,
    context: ReadContext,
  ): false | undefined {
    if (model.kind === 'component') return undefined
    if (use === 'root' && !this.#checksRights(model, context)) return undefined
    const { grants } = this.#options.callerIn(context)
    const isOpen = (permission: Permission | undefined): boolean =>
      permission?.fields?.includes(attribute.name) ?? true
    const isShown = (): boolean => opensAll(this.#readers(model, grants), isOpen)
    if (use === 'answer') return isShown() ? undefined : false
    const permission = this.#permissionAt(model, use, context)
    // A count without `find` would otherwise read any attribute letter by letter (S-23).
    const isCompared = use === 'filter' || use === 'sort'
    if (isCompared && isGuarded(model) && permission === undefined) return false
    if (!isOpen(permission)) return false
    // The response to a write has the attributes that the caller may read elsewhere.
    if (use !== 'root' || !isWriteAction(context.action)) return undefined
    return this.#readers(model, grants).length > 0 && !isShown() ? false : undefined
  }

  /** @throws Error that names the permission whose condition has a mistake. */
  condition({ action, where }: Permission, model: Model): Condition {
    if (!where) throw new Error('A permission without a condition')
    try {
      return this.#conditionOf(where, model)
    } catch (error) {
      throw new Error(`The condition of ${action}: ${(error as Error).message}`, { cause: error })
    }
  }

  #conditionOf(where: Where, model: Model): Condition {
    const { registry, ownId } = this.#options
    return permissionCondition(where, model, registry(), new Map([[ownIdName, ownId]]))
  }

  #permissionAt(model: Model, use: NodeView['use'], context: ReadContext): Permission | undefined {
    const { grants, admitted } = this.#options.callerIn(context)
    if (use === 'root')
      return permissionAtRoot(model, context.action, { grants, admitted }, this.#options.actions)
    return this.#granted(model, use === 'changed' ? 'update' : 'find', grants)
  }

  #granted(model: Model, as: string, grants: Grants): Permission | undefined {
    return grants.of(this.#options.actions.nameOf(model, as))
  }

  /** Whether the rights on the entries at the root are checked: for other plugins' types if the action declares them. */
  #checksRights(model: Model, context: ReadContext): boolean {
    const { actions, callerIn } = this.#options
    return isGuarded(model) || actions.entriesOf(callerIn(context).admitted, model) !== undefined
  }

  #atRoot(model: Model, grants: Grants, context: ReadContext): Narrowing | undefined {
    const own = this.#under(this.#permissionAt(model, 'root', context), model)
    if (own === 'forbid' || context.byId || isContentAction(context.action)) return own
    // A count covers only the entries that `find` returns.
    const found = this.#granted(model, 'find', grants)
    return allOf([own, found?.where && this.condition(found, model)])
  }

  #under(permission: Permission | undefined, model: Model): Narrowing | undefined {
    if (!permission) return 'forbid'
    return permission.where && this.condition(permission, model)
  }

  /** The entries that a write may refer to: those that the caller may find. */
  #nameable({ model, via, from }: NodeView, grants: Grants): Narrowing | undefined {
    // The right to set the role of a user includes all roles.
    if (from?.uid === userUid && via?.name === 'role') return undefined
    // The reference server requires no right to attach a file.
    if (isPart(via) && this.#options.farSide === 'find' && this.#isUnlimited(model, grants)) return undefined
    const found = this.#under(this.#granted(model, 'find', grants), model)
    const own = this.#own(model, via)
    if (found === undefined || own === undefined) return found
    return found === 'forbid' ? own : anyOf([own, found])
  }

  /** Entries that a caller may refer to without the right to find them: its own user, and files that it uploaded. */
  #own(model: Model, via: Attribute | undefined): Condition | undefined {
    if (model.uid === userUid) return this.#conditionOf({ id: ownIdName }, model)
    const uploader = isPart(via) ? model.attributes.get('uploadedBy') : undefined
    const isUser = uploader?.kind === 'relation' && uploader.target === userUid
    return isUser ? this.#conditionOf({ uploadedBy: ownIdName }, model) : undefined
  }

  /** Narrows the entries in the response to a write. A caller that may only create sees the created entry. */
  #readable(model: Model, grants: Grants, action: string): Narrowing | undefined {
    const readers = this.#readers(model, grants)
    if (readers.length === 0) return action === 'create' ? undefined : 'forbid'
    if (readers.some(({ where }) => !where)) return undefined
    return anyOf(readers.map((permission) => this.condition(permission, model)))
  }

  /** The permissions under which entries of a model may be read. */
  #readers(model: Model, grants: Grants): readonly Permission[] {
    const readers = ['find', 'findOne'].flatMap((as) => this.#granted(model, as, grants) ?? [])
    const me = model.uid === userUid ? grants.of(`${userUid}.me`) : undefined
    return me ? [...readers, { ...me, where: { id: ownIdName } }] : readers
  }

  /** Whether `find` suffices, as in the reference server, between the written type and that of the other entry. */
  #isFindEnough({ model, from }: NodeView, grants: Grants): boolean {
    if (this.#options.farSide !== 'find' || !from || !grants.of(`${model.uid}.find`)) return false
    return this.#isUnlimited(model, grants) && this.#isUnlimited(from, grants)
  }

  /** Whether no permission for the entries of a model has a condition or a field list. */
  #isUnlimited(model: Model, grants: Grants): boolean {
    return grants.actions
      .filter(
        (action) => action.startsWith(`${model.uid}.`) || this.#options.actions.entriesOf(action, model),
      )
      .every((action) => !grants.of(action)?.where && !grants.of(action)?.fields)
  }
}

/**
 * Whether an attribute is open in every entry that permissions reach together. One for some entries opens it in these only: for each other
 * one there must be another that opens it, in the same entries or in all.
 */
function opensAll(permissions: readonly Permission[], isOpen: (permission: Permission) => boolean): boolean {
  const opening = permissions.filter(isOpen)
  const reach = ({ where }: Permission): string => JSON.stringify(where)
  return (
    opening.length > 0 &&
    permissions.every((one) => opening.some((other) => !other.where || reach(other) === reach(one)))
  )
}

const isPart = (via: Attribute | undefined): boolean => via?.kind === 'relation' && via.part
