import { type Bindable, bound, type RuntimeValue, type Sql, sql, type Transaction } from '@octavo/database'
import { LRUCache } from 'lru-cache'
import { compileReach, givenIds } from '../compile/compile-reach.ts'
import type { WriteAction } from '../content-type/content-actions.ts'
import type { Attribute, ContentType, MorphAttribute } from '../content-type/model.ts'
import type { ReadDeclarations } from '../hooks/read-declarations.ts'
import type { NodeView, ReadContext } from '../hooks/read-hooks.ts'
import type { Condition } from '../plan/plan.ts'
import type { RequestState } from '../plugin/request-state.ts'
import { type ResolveEnvironment, Scope } from '../resolve/scope.ts'

/** Identifies the entries of a type that a write may refer to or change, or its response include. */
export interface ReachRequest {
  readonly type: ContentType
  readonly use: Extract<NodeView['use'], 'named' | 'changed' | 'answer'>
  /** The relation that leads to the entries; none for a polymorphic relation, and for `answer`. */
  readonly via?: Attribute | undefined
  /** The content-type of the written entry. */
  readonly from?: ContentType | undefined
  /** For `changed`: the attribute of `type` that changes. For `answer`: one that the caller must be able to read. */
  readonly attribute?: Attribute | MorphAttribute | undefined
  /** For `answer`: the action on the entry. */
  readonly action?: WriteAction
  readonly state: RequestState
}

/** `all` and `none` need no database query. */
export type Reach = 'all' | 'none' | Sql

/** Maximum cached results; a server has some dozens of relations and roles. */
const maxReaches = 5_000

/** The conditions of plugins on writes, from the same hooks as reads: resolved once per set of facts. */
export class Reaches {
  readonly #environment: ResolveEnvironment
  readonly #declared: ReadDeclarations
  readonly #known = new LRUCache<string, Reach>({ maxSize: maxReaches, sizeCalculation: () => 1 })

  constructor(environment: ResolveEnvironment, declared: ReadDeclarations) {
    this.#environment = environment
    this.#declared = declared
  }

  /** Whether no plugin narrows anything: {@link of} then is `all` for every request. */
  get areAll(): boolean {
    const { hooks } = this.#environment
    return !hooks.has('query:node') && !hooks.has('query:attribute')
  }

  of(request: ReachRequest): Reach {
    if (this.areAll) return 'all'
    const key = this.#key(request)
    const known = this.#known.get(key)
    if (known) return known
    const reach = this.#resolve(request)
    this.#known.set(key, reach)
    return reach
  }

  /** The ids within reach. Existence is checked only when plugins narrow the entries. */
  async within(request: ReachRequest, ids: readonly number[], tx: Transaction): Promise<ReadonlySet<number>> {
    const reach = this.of(request)
    if (reach === 'all' || ids.length === 0) return new Set(ids)
    if (reach === 'none') return new Set()
    const rows = await tx.run(this.#bound(reach, ids, request.state))
    return new Set(rows.map(({ id }) => Number(id)))
  }

  /** A query of the ids within reach, for a statement of a message; `undefined`: all. */
  queryOf(request: ReachRequest): ((ids: readonly number[]) => Sql) | undefined {
    const reach = this.of(request)
    if (reach === 'all') return undefined
    if (reach === 'none') return () => sql`select null::int4 where false`
    return (ids) => this.#bound(reach, ids, request.state)
  }

  /** A query with a row when an entry meets a condition of a plugin. */
  meeting(
    condition: Condition,
    { type, id, state }: { readonly type: ContentType; readonly id: number; readonly state: RequestState },
  ): Sql {
    return this.#bound(compileReach(type, condition), [id], state)
  }

  #resolve({ type, use, via, from, attribute, action, state }: ReachRequest): Reach {
    const context: ReadContext = {
      action: action ?? (use === 'changed' ? 'update' : 'find'),
      byId: true,
      fact: ({ name }) => {
        const of = this.#declared.facts.get(name)
        if (!of) throw new Error(`No plugin declared the fact "${name}"`)
        return of(state)
      },
    }
    const scope = Scope.root(this.#environment, context, { params: new Map() })
    if (attribute && !scope.isOpen(attribute, type, use)) return 'none'
    const narrowed = scope.narrow(type, use, via, from, use === 'changed' ? attribute : undefined)
    if (narrowed === undefined) return 'all'
    return narrowed === 'forbid' ? 'none' : compileReach(type, narrowed)
  }

  /** The inputs of the hooks, separated by null bytes, which names and facts do not contain. */
  #key({ type, use, via, from, attribute, action, state }: ReachRequest): string {
    // Components of one entry may have attributes of the same name and different types.
    const relation = via?.kind === 'relation' ? via.typeName : ''
    const key = [type.uid, use, via?.name, relation, from?.uid, attribute?.name, action].join('\0')
    return [key, ...[...this.#declared.facts.values()].map((of) => of(state))].join('\0')
  }

  #bound(reach: Sql, ids: readonly number[], state: RequestState): Sql {
    return bound(reach, ({ name }: RuntimeValue): Bindable => {
      if (name === givenIds.name) return ids
      const of = this.#declared.runtimeValues.get(name)
      if (!of) throw new Error(`No plugin declared the runtime value "${name}"`)
      return of(state)
    })
  }
}
