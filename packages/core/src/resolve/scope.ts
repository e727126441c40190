import type {
  Attribute,
  ContentType,
  Model,
  MorphAttribute,
  Registry,
  RelationAttribute,
  UsesAttribute,
} from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { HookRunner } from '../hooks/hook-runner.ts'
import type { AttributePlace, Narrowing, NodeView, Param, ReadContext } from '../hooks/read-hooks.ts'
import type { Limits } from '../limits.ts'
import type { RawNode } from '../parse/raw.ts'
import { allOf, constant } from '../plan/condition.ts'
import type { Condition, PlanMeta } from '../plan/plan.ts'
import type { ParamReader } from '../plugin/param-reader.ts'
import type { Trace } from '../trace.ts'
import type { ReportUnknownName } from '../unknown-names.ts'
import type { Cursors } from './cursor.ts'
import { childParams, type NodeParams, rootParams } from './node-params.ts'
import type { Pruning } from './pruning.ts'
import type { RestDefaults } from './rest-defaults.ts'

/** The environment of `resolve`, shared by all requests of a server. */
export interface ResolveEnvironment {
  readonly registry: Registry
  readonly hooks: HookRunner
  readonly params: ReadonlyMap<string, ParamReader<unknown>>
  readonly rest: RestDefaults
  readonly limits: Limits
  readonly cursors: Cursors
  /** Uids of the content-types whose column of words is not complete. Default: none. */
  readonly lackingWords?: ReadonlySet<string> | undefined
  /** Records the steps of reads. Default: nothing is recorded. */
  readonly trace?: Trace | undefined
  /** Receives the parts that are left out while a query is resolved, for explanations. Default: none. */
  readonly observe?: (pruning: Pruning) => void
  /** Receives the names that nothing has and that are no errors by themselves. Default: none. */
  readonly unknownName?: ReportUnknownName | undefined
}

const newCounts = (): QueryCounts => ({ count: 0, steps: 0, named: new Set(), narrowedAnywhere: false })

/** Counters of populated places, and of steps in filters and sorts. */
interface QueryCounts {
  count: number
  steps: number
  readonly named: Set<string>
  /** Whether a plugin narrows the entries, or hides an attribute, of any place of the query. */
  narrowedAnywhere: boolean
}

/**
 * A node of the query with its declared parameters and the caller's rights.
 * Every name is looked up through a scope, so that nothing undeclared or unreadable reaches the plan.
 */
export class Scope {
  readonly #environment: ResolveEnvironment
  readonly #context: ReadContext
  readonly #params: NodeParams
  /** Shared by all scopes of a query. */
  readonly #nodes: QueryCounts
  /** The populated attributes that lead to this node. */
  readonly #at: readonly string[]
  /** The place of this node in an entry, for components. */
  readonly #within: AttributePlace['within']

  private constructor(
    environment: ResolveEnvironment,
    context: ReadContext,
    params: NodeParams,
    nodes: QueryCounts,
    at: readonly string[],
    within: AttributePlace['within'],
  ) {
    this.#environment = environment
    this.#context = context
    this.#params = params
    this.#nodes = nodes
    this.#at = at
    this.#within = within
  }

  /** @throws ValidationError `query/bad-parameter` */
  static root(environment: ResolveEnvironment, context: ReadContext, raw: Pick<RawNode, 'params'>): Scope {
    const params = rootParams(environment.params, raw, environment.unknownName)
    return new Scope(environment, context, params, newCounts(), [], undefined)
  }

  /**
   * The scope of a child in `populate`.
   * @param step The populated attribute, of `model`.
   * @throws ValidationError `query/bad-parameter`
   */
  below(
    raw: Pick<RawNode, 'params'>,
    step?: Pick<Attribute | UsesAttribute, 'name' | 'kind'>,
    model?: Model,
  ): Scope {
    const { params: readers, unknownName } = this.#environment
    const params = childParams(readers, raw, this.#params, unknownName)
    const at = step ? [...this.#at, step.name] : this.#at
    const within = step && model ? this.#stepInto(step, model) : undefined
    return new Scope(this.#environment, this.#context, params, this.#nodes, at, within)
  }

  /** The scope behind an attribute of `model` in a filter or a sort. */
  into(step: Attribute, model: Model): Scope {
    const within = this.#stepInto(step, model)
    if (within === this.#within) return this
    return new Scope(this.#environment, this.#context, this.#params, this.#nodes, this.#at, within)
  }

  #stepInto(
    { kind, name }: Pick<Attribute | UsesAttribute, 'name' | 'kind'>,
    model: Model,
  ): AttributePlace['within'] {
    if (kind !== 'component' && kind !== 'zone') return undefined
    const { owner = model, path = [] } = this.#within ?? {}
    return { owner, path: [...path, name] }
  }

  /** Counts a populated place, including those of a `*`. @throws ValidationError `query/populate-too-large` */
  countNode(): void {
    const { populateNodes } = this.#environment.limits
    this.#nodes.count += 1
    if (this.#nodes.count > populateNodes) throw problem('query/populate-too-large', { limit: populateNodes })
  }

  /** Whether a plugin narrows the entries, or hides an attribute, of any place of the query. */
  get narrowedAnywhere(): boolean {
    return this.#nodes.narrowedAnywhere
  }

  /** Uids of the models that filters and sorts of the query have passed through. */
  get named(): ReadonlySet<string> {
    return this.#nodes.named
  }

  /** Records that a filter or a sort passes through a model. */
  name(model: Model): void {
    this.#nodes.named.add(model.uid)
  }

  /** Counts a step through a relation or component. @throws ValidationError `query/too-many-steps` */
  countStep(): void {
    const { requestSteps } = this.#environment.limits
    this.#nodes.steps += 1
    if (this.#nodes.steps > requestSteps) throw problem('query/too-many-steps', { limit: requestSteps })
  }

  /** Whether a full-text search computes the words of each row, since their column is not complete. */
  lacksWords({ uid }: Model): boolean {
    return this.#environment.lackingWords?.has(uid) ?? false
  }

  get limits(): Limits {
    return this.#environment.limits
  }

  get registry(): Registry {
    return this.#environment.registry
  }

  get rest(): RestDefaults {
    return this.#environment.rest
  }

  /** The attribute; `undefined` when it does not exist or is hidden from the caller. */
  attribute(model: Model, name: string, use: NodeView['use']): Attribute | undefined {
    if (name === 'id') return model.id
    const attribute = model.attributes.get(name)
    return attribute && this.sees(attribute, model, use) ? attribute : undefined
  }

  sees(attribute: Attribute, model: Model, use: NodeView['use']): boolean {
    if (attribute.private && !this.#showsPrivate(attribute, model, use)) {
      this.#pruned({ kind: 'hidden', by: 'definition', model, use, attribute: attribute.name })
      return false
    }
    return this.isOpen(attribute, model, use)
  }

  #showsPrivate(attribute: Attribute, model: Model, use: NodeView['use']): boolean {
    const { hooks } = this.#environment
    if (!hooks.has('query:private') || (attribute.kind === 'scalar' && attribute.type.secret)) return false
    const place = { model, use, within: this.#within }
    return hooks.collect('query:private', attribute, place, this.#context).includes(true)
  }

  /** See {@link ResolveEnvironment.unknownName}. */
  get unknownName(): ReportUnknownName | undefined {
    return this.#environment.unknownName
  }

  /** The attributes that the caller may use at this place. Relations to what it may not read are left out, since they are answered as unknown. */
  usable(model: Model, use: NodeView['use']): readonly Attribute[] {
    // Without an effect on the query, nor on its explanation.
    const { observe: _, ...environment } = this.#environment
    const scope = new Scope(environment, this.#context, this.#params, newCounts(), this.#at, this.#within)
    const way = use === 'root' ? 'populate' : use
    const isReachable = (attribute: Attribute): boolean =>
      attribute.kind !== 'relation' ||
      scope.narrow(scope.registry.contentType(attribute.target), way, attribute) !== 'forbid'
    return [...model.attributes.values()].filter(
      (attribute) => scope.sees(attribute, model, use) && isReachable(attribute),
    )
  }

  /** Reports a name in `populate` that the model does not have, or that is not populated. */
  notPopulated(name: string, model: Model): void {
    this.#pruned({ kind: 'unknown', by: 'definition', model, use: 'populate', attribute: name })
  }

  #pruned(pruning: Omit<Pruning, 'at'>): void {
    this.#environment.observe?.({ ...pruning, at: this.#at })
  }

  /** Whether no plugin protects the attribute from a write. Private attributes can be written, never read. */
  isOpen(attribute: Attribute | MorphAttribute | UsesAttribute, model: Model, use: NodeView['use']): boolean {
    const { hooks, observe } = this.#environment
    if (!hooks.has('query:attribute')) return true
    // A computed value depends on the values that it is computed from.
    if ('from' in attribute && !attribute.from.every((source) => this.isOpen(source, model, use)))
      return false
    if (!observe) {
      const isHidden = hooks
        .collect('query:attribute', attribute, { model, use, within: this.#within }, this.#context)
        .includes(false)
      if (isHidden) this.#nodes.narrowedAnywhere = true
      return !isHidden
    }
    const hiding = hooks
      .collectByPlugin('query:attribute', attribute, { model, use, within: this.#within }, this.#context)
      .filter(({ answer }) => answer === false)
    for (const { plugin } of hiding)
      this.#pruned({ kind: 'hidden', by: plugin, model, use, attribute: attribute.name })
    if (hiding.length > 0) this.#nodes.narrowedAnywhere = true
    return hiding.length === 0
  }

  /** The conditions of plugins on the entries of a model at this node; `'forbid'` when none may be read. */
  narrow(
    model: Model,
    use: NodeView['use'],
    via?: Attribute,
    from?: ContentType,
    attribute?: NodeView['attribute'],
  ): Condition | undefined | 'forbid' {
    const { hooks } = this.#environment
    if (!hooks.has('query:node')) return undefined
    const view = this.#view(model, use, via, from, attribute)
    const conditions: Condition[] = []
    const answers = this.#environment.observe
      ? this.#narrowings(view)
      : hooks.collect('query:node', view, this.#context)
    for (const answer of answers) {
      if (answer === 'forbid') return 'forbid'
      if (answer.kind !== 'constant' || !answer.value) this.#nodes.narrowedAnywhere = true
      conditions.push(answer)
    }
    return allOf(conditions)
  }

  /** The conditions of plugins, each reported with its plugin. */
  #narrowings(view: NodeView): readonly Narrowing[] {
    const { model, use, via } = view
    const answers = this.#environment.hooks.collectByPlugin('query:node', view, this.#context)
    for (const { plugin, answer } of answers) {
      const place = { by: plugin, model, use, via: via?.name }
      if (answer === 'forbid') this.#pruned({ kind: 'forbidden', ...place })
      else if (answer.kind !== 'constant' || !answer.value)
        this.#pruned({ kind: 'narrowed', ...place, condition: answer })
    }
    return answers.map(({ answer }) => answer)
  }

  /** The `meta` of the root's entries; `undefined` when it is empty and optional. */
  meta(model: Model, always: boolean): readonly PlanMeta[] | undefined {
    const { hooks } = this.#environment
    const terms = hooks.has('query:meta')
      ? hooks.collect('query:meta', this.#view(model, 'root'), this.#context).flat()
      : []
    if (!always && terms.length === 0) return undefined
    return terms.map((term) => ({ ...term, within: this.#scopeOf(term.relation, 'root') }))
  }

  /** Whether a plugin returns all entries of a single type. */
  listsSingle(model: Model): boolean {
    const { hooks } = this.#environment
    return (
      hooks.has('query:single') &&
      hooks.collect('query:single', this.#view(model, 'root'), this.#context).includes(true)
    )
  }

  /** A relation in a plugin's condition: parameters with scope `own` do not apply to it. */
  #scopeOf(relation: RelationAttribute, use: NodeView['use']): Condition | undefined {
    const target = this.registry.contentType(relation.target)
    const narrowed = this.below({ params: new Map() }).narrow(target, use, relation)
    return narrowed === 'forbid' ? constant(false) : narrowed
  }

  #view(
    model: Model,
    use: NodeView['use'],
    via?: Attribute,
    from?: ContentType,
    attribute?: NodeView['attribute'],
  ): NodeView {
    const params = this.#params
    return {
      model,
      use,
      via,
      from,
      attribute,
      // Safe: a Param<T> is created only with a reader of T, whose result the map contains.
      param: <T>(param: Param<T>) => params.get(param.name)?.value as T,
      given: (param) => params.get(param.name)?.given ?? false,
      scopeOf: (relation) => this.#scopeOf(relation, use),
    }
  }
}
