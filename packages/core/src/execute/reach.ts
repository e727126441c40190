import { LRUCache } from 'lru-cache'
import { askedIds, compileReach } from '../compile/compile-reach.ts'
import type { WriteAction } from '../content-type/content-actions.ts'
import type { Attribute, ContentType, MorphAttribute } from '../content-type/model.ts'
import type { NodeView, ReadContext } from '../plugin/hooks.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { Declared } from '../plugin/setup.ts'
import { type ResolveEnvironment, Scope } from '../resolve/scope.ts'
import type { Bindable, Compiled } from '../sql/sql.ts'
import type { Transaction } from '../store/store.ts'

/** Which entries of a type a write may name or change, or its answer show. */
export interface ReachQuestion {
  readonly type: ContentType
  readonly use: Extract<NodeView['use'], 'named' | 'changed' | 'answer'>
  /** The relation that leads to the entries; `undefined` for a polymorphic one, and for an answer. */
  readonly via: Attribute | undefined
  /** The content-type of the entry that is written. */
  readonly from: ContentType | undefined
  /** For `changed`: the attribute of `type` that changes. */
  readonly attribute: Attribute | MorphAttribute | undefined
  /** For `answer`: what was done with the entry. */
  readonly action?: WriteAction
  readonly state: RequestState
}

/** `all` and `none` are known without a look into the database. */
export type Reach = 'all' | 'none' | Compiled

/** Questions whose answer is kept; a server has some dozens of relations and of roles. */
const keptAnswers = 5_000

/** What plugins narrow a write to, by the same hooks as a read: resolved once for all callers whose facts are alike. */
export class Reaches {
  readonly #environment: ResolveEnvironment
  readonly #declared: Declared
  readonly #known = new LRUCache<string, Reach>({ max: keptAnswers })

  constructor(environment: ResolveEnvironment, declared: Declared) {
    this.#environment = environment
    this.#declared = declared
  }

  of(question: ReachQuestion): Reach {
    const { hooks } = this.#environment
    if (!hooks.has('query:node') && !hooks.has('query:attribute')) return 'all'
    const key = this.#key(question)
    const known = this.#known.get(key)
    if (known) return known
    const reach = this.#resolve(question)
    this.#known.set(key, reach)
    return reach
  }

  /** Those of the ids that are within reach, and that are there at all unless everything is. */
  async within(
    question: ReachQuestion,
    ids: readonly number[],
    tx: Transaction,
  ): Promise<ReadonlySet<number>> {
    const reach = this.of(question)
    if (reach === 'all' || ids.length === 0) return new Set(ids)
    if (reach === 'none') return new Set()
    const values = reach.values.map((value) => this.#valueOf(value, ids, question.state))
    return new Set((await tx.query(reach.text, values)).map(([id]) => Number(id)))
  }

  #resolve({ type, use, via, from, attribute, action, state }: ReachQuestion): Reach {
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
    const narrowed = scope.narrow(type, use, via, from)
    if (narrowed === undefined) return 'all'
    return narrowed === 'forbid' ? 'none' : compileReach(type, narrowed)
  }

  /** All that the hooks may look at. A zero byte parts them: no name or fact holds one. */
  #key({ type, use, via, from, attribute, action, state }: ReachQuestion): string {
    // Two components of one entry may each have an attribute of that name, of different types.
    const relation = via?.kind === 'relation' ? via.typeName : ''
    const key = [type.uid, use, via?.name, relation, from?.uid, attribute?.name, action].join('\0')
    return [key, ...[...this.#declared.facts.values()].map((of) => of(state))].join('\0')
  }

  #valueOf(value: Compiled['values'][number], ids: readonly number[], state: RequestState): Bindable {
    if (typeof value !== 'object' || value === null || !('name' in value)) return value
    if (value.name === askedIds.name) return ids
    const of = this.#declared.runtimeValues.get(value.name)
    if (!of) throw new Error(`No plugin declared the runtime value "${value.name}"`)
    return of(state)
  }
}
