import type { RuntimeValue } from '@octavo/database'
import { exceededBound } from '../compile/guards.ts'
import type { Bindable } from '../content-type/attribute-type.ts'
import type { Explanation } from '../explanation.ts'
import type { RawQuery } from '../parse/raw.ts'
import type { AnswerTags, ReadAnswer, ReadRequest } from '../requests.ts'
import { Scope } from '../resolve/scope.ts'
import { deepError } from './bounded-rows.ts'
import { type ExplainedRead, explainRead } from './explain.ts'
import { compileBounded, type Prepared, readTarget, ready } from './prepared.ts'
import type { PreparedReads } from './prepared-reads.ts'
import { tagsOfEntries, tagsOfPlan } from './tags.ts'

/** Runs reads, each in one statement. */
export class EntryReader {
  readonly #reads: PreparedReads

  constructor(reads: PreparedReads) {
    this.#reads = reads
  }

  /** @throws OctavoError for an invalid query and for errors of the database. */
  async read(request: ReadRequest): Promise<ReadAnswer> {
    const prepared = this.#reads.prepare(request)
    const { replica, signal, state } = request
    const demand = { group: request.type.uid, caller: state.caller, signal }
    const rows = await this.#reads.rows(prepared, request, this.#reads.store, (statement, heavy) =>
      replica
        ? this.#reads.store.executeOnReplica(statement, replica.after, { ...demand, heavy })
        : this.#reads.store.execute(statement, { ...demand, heavy }),
    )
    const answer = await this.#reads.answer(prepared, rows, request, this.#reads.store)
    return request.tags ? { ...answer, tags: this.#tags(prepared, answer) } : answer
  }

  #tags({ plan }: Prepared, { data = 'null' }: ReadAnswer): AnswerTags {
    const { registry } = this.#reads.environment
    const shown = plan.kind === 'count' ? [] : tagsOfEntries(JSON.parse(data), plan.root, registry)
    return { entries: [...shown], types: [...tagsOfPlan(plan, registry)] }
  }

  /** See {@link Octavo.answerKey}. */
  answerKey(request: ReadRequest): string {
    const values = this.#reads
      .prepare(request)
      .runtime.map(({ name }) => this.#reads.runtimeValue(name, request))
    return JSON.stringify([this.#reads.key(request), ...values])
  }

  /** See {@link Octavo.visible}. */
  visible(request: Pick<ReadRequest, 'type' | 'action' | 'state'>): ReadonlySet<string> {
    const context = this.#reads.context({ ...request, kind: 'list', query: '' })
    const scope = Scope.root(this.#reads.environment, context, { params: new Map() })
    const { uses } = request.type
    const seen = [
      ...scope.usable(request.type, 'root'),
      ...[...uses.values()].filter((attribute) => scope.isOpen(attribute, request.type, 'root')),
    ]
    return new Set(seen.map(({ name }) => name))
  }

  /** Explains a read; see {@link explainRead}. */
  explain(
    request: ReadRequest,
    shown: { readonly values: boolean; readonly figures: boolean },
  ): Promise<Explanation> {
    const { limits } = this.#reads.environment
    let raw: RawQuery | undefined
    const read: ExplainedRead = {
      runtime: ({ name }: RuntimeValue): Bindable => this.#reads.runtimeValue(name, request),
      isCached: this.#reads.has(request),
      parse: () => {
        raw = this.#reads.parse(request)
      },
      resolve: (observe) =>
        this.#reads.resolve(raw ?? this.#reads.parse(request), request, readTarget(request), observe),
      compile: (plan) => compileBounded(plan, limits, this.#reads.bounds),
      bind: (compiled) => {
        const statement = ready(compiled)
        return { text: statement.text, values: this.#reads.valuesFor(statement, request) }
      },
      bounded: (plan, run) =>
        run().catch((error: unknown) => {
          const bound = exceededBound(error)
          throw bound ? deepError(plan, limits, bound) : error
        }),
      store: this.#reads.store,
    }
    return explainRead(request, read, shown)
  }
}
