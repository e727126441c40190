import type { Compiled, Queryable, Row, Statement, StatementBounds, Store } from '@octavo/database'
import { LRUCache } from 'lru-cache'
import type { Bindable } from '../content-type/attribute-type.ts'
import type { ReadDeclarations } from '../hooks/read-declarations.ts'
import type { Fact, ReadContext } from '../hooks/read-hooks.ts'
import { foreignPopulate } from '../parse/foreign.ts'
import { parseQuery } from '../parse/parse-query.ts'
import type { RawQuery } from '../parse/raw.ts'
import type { QueryPlan } from '../plan/plan.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { ReadAnswer, ReadRequest, StatementFigures } from '../requests.ts'
import { entryId, type ReadTarget, resolveQuery } from '../resolve/resolve-query.ts'
import type { ResolveEnvironment } from '../resolve/scope.ts'
import { type Step, type Trace, untraced } from '../trace.ts'
import { type ReportUnknownName, reportOf, type UnknownNames } from '../unknown-names.ts'
import { answerOf } from './answer.ts'
import { boundedRows } from './bounded-rows.ts'
import { PlannedSearches } from './planned-searches.ts'
import { type Prepared, prepare, type Ready, readTarget, ready } from './prepared.ts'

/** Maximum characters of cached query strings and statements: some thousands of typical requests. */
const cacheCharacters = 16_000_000

/**
 * The statements of reads, which are cached (least recently used) by query string and facts, so that a repeated request of callers
 * with the same facts goes straight to the database.
 */
export class PreparedReads {
  readonly environment: ResolveEnvironment
  readonly store: Store
  readonly trace: Trace
  /** The bounds that each statement enforces itself. */
  readonly bounds: StatementBounds
  readonly #declared: ReadDeclarations
  readonly #prepared = new LRUCache<string, Prepared>({
    maxSize: cacheCharacters,
    sizeCalculation: ({ text, last }, key) => key.length + text.length + (last?.text.length ?? 0) + 100,
  })

  readonly #plannedSearches: PlannedSearches
  readonly #warn: (message: string) => void
  readonly #unknownNames: UnknownNames
  #hits = 0
  #misses = 0

  /** @param warn Called with a warning about a query, possibly several times with the same one. */
  constructor(
    environment: ResolveEnvironment,
    declared: ReadDeclarations,
    store: Store,
    warn: (message: string) => void,
    unknownNames: UnknownNames,
  ) {
    this.#warn = warn
    this.#unknownNames = unknownNames
    this.environment = environment
    this.trace = environment.trace ?? untraced
    this.#declared = declared
    this.store = store
    const { answerRows: rows, answerBytes: bytes } = environment.limits
    this.bounds = { rows, bytes, checksTime: store.engine === 'pglite' }
    this.#plannedSearches = new PlannedSearches(store)
  }

  get figures(): StatementFigures {
    return { hits: this.#hits, misses: this.#misses, cached: this.#prepared.size }
  }

  /** Whether the statement of a read is in the cache. */
  has(request: ReadRequest): boolean {
    return this.#prepared.has(this.key(request))
  }

  /** @param of `written` in place of the entry with the id of the request. */
  prepare(request: ReadRequest, of?: 'written'): Prepared {
    const target = of ? { type: request.type, kind: of } : readTarget(request)
    const key = this.key(request, target)
    const known = this.#prepared.get(key)
    if (known) {
      this.#hits++
      return known
    }
    this.#misses++
    const { limits } = this.environment
    const trace = this.trace
    const raw = trace({ name: 'parse' }, () => this.parse(request))
    const warning = foreignPopulate(raw.populate, request.type, this.#unknownNames === 'refuse')
    if (warning !== undefined) this.#warn(warning)
    const plan = trace({ name: 'resolve' }, () => this.resolve(raw, request, target))
    const prepared = trace({ name: 'compile' }, () => prepare(plan, target.kind, limits, this.bounds))
    this.#prepared.set(key, prepared)
    return prepared
  }

  /** @throws OctavoError for an invalid query. */
  parse(request: ReadRequest): RawQuery {
    const { limits, params } = this.environment
    const { operators } = this.#declared
    const kind = request.kind === 'list' ? 'list' : 'one'
    const unknownName = this.#reportOf(request)
    return parseQuery(request.query, { limits, params, operators, kind, unknownName })
  }

  #reportOf({ type, action, lenient }: ReadRequest): ReportUnknownName | undefined {
    if (lenient) return undefined
    return reportOf(this.#unknownNames, (message) => this.#warn(`${type.uid}.${action}: ${message}`))
  }

  /** @throws OctavoError for a name or a value that does not fit. */
  resolve(
    raw: RawQuery,
    request: ReadRequest,
    target: ReadTarget = readTarget(request),
    observe?: ResolveEnvironment['observe'],
  ): QueryPlan {
    const { rest } = this.environment
    const { maxLimit = rest.maxLimit } = request
    const environment = {
      ...this.environment,
      rest: { ...rest, maxLimit },
      unknownName: this.#reportOf(request),
      ...(observe && { observe }),
    }
    const plan = resolveQuery(raw, target, environment, this.context(request))
    return request.layout ? Object.freeze({ ...plan, layout: request.layout }) : plan
  }

  /** The cache key: all inputs of a statement, separated by null bytes, which names and facts do not contain; the query is last. */
  key(request: ReadRequest, target = readTarget(request)): string {
    const names = request.lenient ? 'lenient' : ''
    let key = `${request.type.uid}\0${request.action}\0${target.kind}\0${request.maxLimit ?? ''}\0${request.layout?.key ?? ''}\0${names}`
    for (const of of this.#declared.facts.values()) key += `\0${of(request.state)}`
    return `${key}\0${request.query}`
  }

  /** The properties of a request that read hooks depend on. */
  context(request: ReadRequest): ReadContext {
    const byId = request.kind === 'one' && request.id !== undefined
    return { action: request.action, byId, fact: (fact) => this.#fact(fact, request.state) }
  }

  #fact(fact: Fact, state: RequestState): string {
    const of = this.#declared.facts.get(fact.name)
    if (!of) throw new Error(`No plugin declared the fact "${fact.name}"`)
    return of(state)
  }

  /** The values of a statement, with those that differ between requests. */
  valuesFor(prepared: Ready, request: ReadRequest): readonly Bindable[] {
    if (prepared.runtime.length === 0) return prepared.values
    const values = [...prepared.values]
    for (const { index, name } of prepared.runtime) values[index] = this.runtimeValue(name, request)
    return values
  }

  /** @throws Error for a name that no plugin declared. */
  runtimeValue(name: string, request: ReadRequest): Bindable {
    if (name === entryId.name) return request.id ?? null
    const of = this.#declared.runtimeValues.get(name)
    if (!of) throw new Error(`No plugin declared the runtime value "${name}"`)
    return of(request.state)
  }

  /**
   * Runs a read. Not async, so that most reads wait for one promise less.
   * @throws OctavoError `query/answer-too-large`
   */
  rows(
    prepared: Prepared,
    request: ReadRequest,
    tx: Queryable,
    run: (statement: Statement, heavy: boolean) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const { text, plan, searches, isHeavy } = prepared
    const values = this.valuesFor(prepared, request)
    const bounded = (planned: boolean): Promise<readonly Row[]> => {
      const execute: Step = { name: 'execute', details: { statement: text } }
      const read = {
        plan,
        values,
        bounds: this.bounds,
        run: (given: readonly Bindable[], isLarge = isHeavy) =>
          this.trace(execute, () => run({ text, values: given, planned }, isLarge)),
        query: (compiled: Compiled) => {
          const statement = ready(compiled)
          return run({ text: statement.text, values: this.valuesFor(statement, request) }, true)
        },
        inTransaction: tx !== this.store,
        requireRoom: request.requireRoom,
      }
      return boundedRows(read, this.environment.limits)
    }
    const planned = this.#plannedSearches.isPlanned(searches)
    return typeof planned === 'boolean' ? bounded(planned) : planned.then(bounded)
  }

  /** The answer of a read from its rows; an estimated total may need another statement. */
  answer(
    prepared: Prepared,
    rows: readonly Row[],
    request: ReadRequest,
    tx: Queryable,
  ): Promise<ReadAnswer> | ReadAnswer {
    const { cursors } = this.environment
    const estimate = (statement: Ready) => tx.query(statement.text, this.valuesFor(statement, request))
    return answerOf(prepared, rows, { cursors, estimate })
  }
}
