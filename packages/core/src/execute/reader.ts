import {
  type BatchedTransaction,
  type Compiled,
  kept,
  type Queryable,
  type Row,
  type RuntimeValue,
  type Sql,
  type Statement,
  type StatementBounds,
  type Store,
  toStatement,
} from '@octavo/database'
import { LRUCache } from 'lru-cache'
import { isOverBound } from '../compile/bound-size.ts'
import { exceededBound, restartCount } from '../compile/guards.ts'
import type { Bindable } from '../content-type/attribute-type.ts'
import type { Attribute } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { Explanation } from '../explanation.ts'
import { foreignPopulate } from '../parse/foreign.ts'
import { parseQuery } from '../parse/parse-query.ts'
import type { RawQuery } from '../parse/raw.ts'
import type { QueryPlan } from '../plan/plan.ts'
import type { Fact, ReadContext } from '../plugin/hooks.ts'
import type { ReadDeclarations } from '../plugin/read-declarations.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { AnswerTags, ReadAnswer, ReadRequest, StatementFigures } from '../requests.ts'
import { entryId, type ReadTarget, resolveQuery } from '../resolve/resolve-query.ts'
import { type ResolveEnvironment, Scope } from '../resolve/scope.ts'
import { type Step, type Trace, untraced } from '../trace.ts'
import { answerOf } from './answer.ts'
import { boundedRows, deepError } from './bounded-rows.ts'
import { type ExplainedRead, explainRead } from './explain.ts'
import { compileBounded, type Prepared, prepare, type Ready, readTarget, ready } from './prepared.ts'
import { SmallTables } from './small-tables.ts'
import { tagsOfEntries, tagsOfPlan } from './tags.ts'

/** Maximum characters of cached query strings and statements: some thousands of typical requests. */
const cacheCharacters = 16_000_000

/**
 * Runs reads, each in one statement. Statements are cached (least recently used) by query string and facts, so a repeated
 * request of callers with the same facts goes straight to the database.
 */
export class EntryReader {
  readonly #environment: ResolveEnvironment
  readonly #declared: ReadDeclarations
  readonly #store: Store
  readonly #prepared = new LRUCache<string, Prepared>({
    maxSize: cacheCharacters,
    sizeCalculation: ({ text, last }, key) => key.length + text.length + (last?.text.length ?? 0) + 100,
  })

  /** The bounds that each statement enforces itself. */
  readonly #bounds: StatementBounds
  readonly #smallTables: SmallTables
  readonly #trace: Trace
  readonly #warn: (message: string) => void
  #hits = 0
  #misses = 0

  /** @param warn Called with a warning about a query, possibly several times with the same one. */
  constructor(
    environment: ResolveEnvironment,
    declared: ReadDeclarations,
    store: Store,
    warn: (message: string) => void,
  ) {
    this.#warn = warn
    this.#environment = environment
    this.#trace = environment.trace ?? untraced
    this.#declared = declared
    this.#store = store
    const { answerRows: rows, answerBytes: bytes } = environment.limits
    this.#bounds = { rows, bytes, checksTime: store.engine === 'pglite' }
    this.#smallTables = new SmallTables(store)
  }

  /** @throws OctavoError for an invalid query and for errors of the database. */
  async read(request: ReadRequest): Promise<ReadAnswer> {
    const prepared = this.#prepare(request)
    const { replica, signal, state } = request
    const demand = { group: request.type.uid, caller: state.caller, signal }
    const rows = await this.#rows(prepared, request, this.#store, (statement, heavy) =>
      replica
        ? this.#store.executeOnReplica(statement, replica.after, { ...demand, heavy })
        : this.#store.execute(statement, { ...demand, heavy }),
    )
    const answer = await this.#answer(prepared, rows, request, this.#store)
    return request.tags ? { ...answer, tags: this.#tags(prepared, answer) } : answer
  }

  #tags({ plan }: Prepared, { data = 'null' }: ReadAnswer): AnswerTags {
    const shown =
      plan.kind === 'count' ? [] : tagsOfEntries(JSON.parse(data), plan.root, this.#environment.registry)
    return { entries: [...shown], types: [...tagsOfPlan(plan)] }
  }

  get figures(): StatementFigures {
    return { hits: this.#hits, misses: this.#misses, cached: this.#prepared.size }
  }

  /** Validates a query like {@link read}, without running it. @throws OctavoError */
  check(request: ReadRequest): void {
    this.#prepare(request)
  }

  /** Whether plugins narrow the entries of the type for this action. @throws ForbiddenError when all are. */
  narrows(request: Pick<ReadRequest, 'type' | 'action' | 'state'>): boolean {
    return this.#prepare({ ...request, kind: 'one', id: 0, query: 'fields=id' }).narrowed
  }

  /** See {@link Octavo.answerKey}. */
  answerKey(request: ReadRequest): string {
    const values = this.#prepare(request).runtime.map(({ name }) => this.#runtimeValue(name, request))
    return JSON.stringify([this.#key(request), ...values])
  }

  /** See {@link Octavo.visible}. */
  visible(request: Pick<ReadRequest, 'type' | 'action' | 'state'>): ReadonlySet<string> {
    const context = this.#context({ ...request, kind: 'list', query: '' })
    const scope = Scope.root(this.#environment, context, { params: new Map() })
    const isReachable = (attribute: Attribute): boolean =>
      attribute.kind !== 'relation' ||
      scope.narrow(scope.registry.contentType(attribute.target), 'populate', attribute) !== 'forbid'
    const { attributes, uses } = request.type
    const seen = [
      ...[...attributes.values()].filter(
        (attribute) => scope.sees(attribute, request.type, 'root') && isReachable(attribute),
      ),
      ...[...uses.values()].filter((attribute) => scope.isOpen(attribute, request.type, 'root')),
    ]
    return new Set(seen.map(({ name }) => name))
  }

  /** Reads in a running transaction. @param of `written` in place of the entry with the id of the request. @throws OctavoError */
  async readIn(tx: Queryable, request: ReadRequest, of?: 'written'): Promise<ReadAnswer> {
    const prepared = this.#prepare(request, of)
    if (prepared.isHeavy) await tx.run(restartCount)
    const rows = await this.#rows(prepared, request, tx, ({ text, values }) => tx.query(text, values))
    return this.#answer(prepared, rows, request, tx)
  }

  /**
   * The same for the last statement of a transaction. One entry without relations is read and committed in one round trip,
   * unless plugins narrow it: the answer then decides whether the transaction is committed.
   * @throws OctavoError; the transaction is not committed then.
   */
  readLast(tx: BatchedTransaction, request: ReadRequest): Promise<ReadAnswer> {
    return this.mayReadLast(request)
      ? this.#readLast(tx, this.#prepare(request), request)
      : this.readIn(tx, request)
  }

  /** Whether {@link readLast} takes one round trip. */
  mayReadLast(request: ReadRequest): boolean {
    const { last, narrowed, hasFunctions } = this.#prepare(request)
    // A function that throws undoes the write.
    return last !== undefined && !narrowed && !hasFunctions
  }

  /**
   * The same for the entry that the message writes, where {@link mayReadLast}.
   * @param last A statement that is run after the read. Default: none.
   */
  readWritten(tx: BatchedTransaction, request: ReadRequest, last?: Sql): Promise<ReadAnswer> {
    return this.#readLast(tx, this.#prepare(request, 'written'), request, last)
  }

  async #readLast(
    tx: BatchedTransaction,
    prepared: Prepared,
    request: ReadRequest,
    after?: Sql,
  ): Promise<ReadAnswer> {
    const { last } = prepared
    if (!last) throw new Error('The entry has no statement for the end of a transaction')
    const step: Step = { name: 'execute', details: { statement: last.text } }
    try {
      const values = this.#valuesFor(last, request)
      const rows = await this.#trace(step, () => committed(tx, { text: last.text, values }, after))
      return await this.#answer(prepared, rows, request, tx)
    } catch (error) {
      if (!isOverBound(error)) throw error
      const limit = this.#environment.limits.answerBytes
      throw problem('query/answer-too-large', { at: 'pagination', limit, unit: 'bytes' }, { cause: error })
    }
  }

  /**
   * Not async, so that most reads wait for one promise less.
   * @throws OctavoError `query/answer-too-large`
   */
  #rows(
    prepared: Prepared,
    request: ReadRequest,
    tx: Queryable,
    run: (statement: Statement, heavy: boolean) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const { text, plan, planned, searchedTable, isHeavy } = prepared
    const values = this.#valuesFor(prepared, request)
    const bounded = (isSmall: boolean): Promise<readonly Row[]> => {
      const execute: Step = { name: 'execute', details: { statement: text } }
      const read = {
        plan,
        values,
        bounds: this.#bounds,
        run: (given: readonly Bindable[], isLarge = isHeavy) =>
          this.#trace(execute, () => run({ text, values: given, planned: planned && !isSmall }, isLarge)),
        query: (compiled: Compiled) => {
          const statement = ready(compiled)
          return tx.query(statement.text, this.#valuesFor(statement, request))
        },
        inTransaction: tx !== this.#store,
        requireRoom: request.requireRoom,
      }
      return boundedRows(read, this.#environment.limits)
    }
    if (searchedTable === undefined) return bounded(false)
    const isSmall = this.#smallTables.known(searchedTable)
    return isSmall === undefined ? this.#smallTables.lookUp(searchedTable).then(bounded) : bounded(isSmall)
  }

  #answer(
    prepared: Prepared,
    rows: readonly Row[],
    request: ReadRequest,
    tx: Queryable,
  ): Promise<ReadAnswer> | ReadAnswer {
    const { cursors } = this.#environment
    const estimate = (statement: Ready) => tx.query(statement.text, this.#valuesFor(statement, request))
    return answerOf(prepared, rows, { cursors, estimate })
  }

  /** Explains a read; see {@link explainRead}. */
  explain(
    request: ReadRequest,
    shown: { readonly values: boolean; readonly figures: boolean },
  ): Promise<Explanation> {
    const { limits } = this.#environment
    let raw: RawQuery | undefined
    const read: ExplainedRead = {
      runtime: ({ name }: RuntimeValue): Bindable => this.#runtimeValue(name, request),
      isCached: this.#prepared.has(this.#key(request)),
      parse: () => {
        raw = this.#parse(request)
      },
      resolve: (observe) => this.#resolve(raw ?? this.#parse(request), request, readTarget(request), observe),
      compile: (plan) => compileBounded(plan, limits, this.#bounds),
      bind: (compiled) => {
        const statement = ready(compiled)
        return { text: statement.text, values: this.#valuesFor(statement, request) }
      },
      bounded: (plan, run) =>
        run().catch((error: unknown) => {
          const bound = exceededBound(error)
          throw bound ? deepError(plan, limits, bound) : error
        }),
      store: this.#store,
    }
    return explainRead(request, read, shown)
  }

  /** @param of `written` in place of the entry with the id of the request. */
  #prepare(request: ReadRequest, of?: 'written'): Prepared {
    const target = of ? { type: request.type, kind: of } : readTarget(request)
    const key = this.#key(request, target)
    const known = this.#prepared.get(key)
    if (known) {
      this.#hits++
      return known
    }
    this.#misses++
    const { limits } = this.#environment
    const trace = this.#trace
    const raw = trace({ name: 'parse' }, () => this.#parse(request))
    const warning = foreignPopulate(raw.populate, request.type)
    if (warning !== undefined) this.#warn(warning)
    const plan = trace({ name: 'resolve' }, () => this.#resolve(raw, request, target))
    const prepared = trace({ name: 'compile' }, () => prepare(plan, limits, this.#bounds))
    this.#prepared.set(key, prepared)
    return prepared
  }

  #parse({ query, kind }: ReadRequest): RawQuery {
    const { limits, params } = this.#environment
    const { operators } = this.#declared
    return parseQuery(query, { limits, params, operators, kind: kind === 'list' ? 'list' : 'one' })
  }

  #resolve(
    raw: RawQuery,
    request: ReadRequest,
    target: ReadTarget = readTarget(request),
    observe?: ResolveEnvironment['observe'],
  ): QueryPlan {
    const { rest } = this.#environment
    const { maxLimit = rest.maxLimit } = request
    const environment = { ...this.#environment, rest: { ...rest, maxLimit }, ...(observe && { observe }) }
    const plan = resolveQuery(raw, target, environment, this.#context(request))
    return request.layout ? Object.freeze({ ...plan, layout: request.layout }) : plan
  }

  /** The cache key: all inputs of a statement, separated by null bytes, which names and facts do not contain; the query is last. */
  #key(request: ReadRequest, target = readTarget(request)): string {
    let key = `${request.type.uid}\0${request.action}\0${target.kind}\0${request.maxLimit ?? ''}\0${request.layout?.key ?? ''}`
    for (const of of this.#declared.facts.values()) key += `\0${of(request.state)}`
    return `${key}\0${request.query}`
  }

  #context(request: ReadRequest): ReadContext {
    const byId = request.kind === 'one' && request.id !== undefined
    return { action: request.action, byId, fact: (fact) => this.#fact(fact, request.state) }
  }

  #fact(fact: Fact, state: RequestState): string {
    const of = this.#declared.facts.get(fact.name)
    if (!of) throw new Error(`No plugin declared the fact "${fact.name}"`)
    return of(state)
  }

  #valuesFor(prepared: Ready, request: ReadRequest): readonly Bindable[] {
    if (prepared.runtime.length === 0) return prepared.values
    const values = [...prepared.values]
    for (const { index, name } of prepared.runtime) values[index] = this.#runtimeValue(name, request)
    return values
  }

  #runtimeValue(name: string, request: ReadRequest): Bindable {
    if (name === entryId.name) return request.id ?? null
    const of = this.#declared.runtimeValues.get(name)
    if (!of) throw new Error(`No plugin declared the runtime value "${name}"`)
    return of(request.state)
  }
}

/** Runs a statement and commits, with another statement in between, if any. @returns its rows */
async function committed(
  tx: BatchedTransaction,
  { text, values }: Statement,
  after: Sql | undefined,
): Promise<readonly Row[]> {
  if (!after) return tx.commitWith(text, values)
  const rows: Row[] = []
  tx.send(kept(text, values), (row) => rows.push(row))
  const last = toStatement(after)
  await tx.commitWith(last.text, last.values as readonly Bindable[]) // runtime values occur in plans of reads only
  return rows
}
