import type {
  Attribute,
  ContentType,
  Model,
  MorphAttribute,
  RelationAttribute,
  UsesAttribute,
} from '../content-type/model.ts'
import { isObject } from '../kinds-of-values.ts'
import { isCondition } from '../plan/condition.ts'
import type { Condition, MetaTerm } from '../plan/plan.ts'
import { booleanResult, collect, type HookTable } from './hook-row.ts'

/** A property of a request that read hooks depend on, such as the role. Its text is part of the statement cache's key. */
export interface Fact {
  readonly name: string
}

/** A query parameter that a plugin declared. Created by `host.param`. */
export interface Param<T> {
  readonly name: string
  /** Never set; it carries the type of the value. */
  readonly type?: T
}

/** The input of a read hook. Other properties of the request would be missing from the statement cache's key. */
export interface ReadContext {
  /** `find`, `findOne`, `create`, `update`, `delete`, or the action of a plugin's route. */
  readonly action: string
  /** Whether the request reads one entry by its id; false for lists, counts and single types. */
  readonly byId: boolean
  fact(fact: Fact): string
}

/** A node of the query: a place where entries of one model are read or tested. */
export interface NodeView {
  readonly model: Model
  /**
   * The entries of `root` and `populate` are in the response; `filter` and `sort` only test them. Writes add three uses:
   * - `named`: the entries that the input may refer to by id; any other id is refused like a missing one
   * - `changed`: the other entries whose key or link the write may change. They must meet the condition before and
   *   after the write, else it fails with 403
   * - `answer`: the entries whose attributes the response may include; for any other entry the response has only the id
   */
  readonly use: 'root' | 'populate' | 'filter' | 'sort' | 'named' | 'changed' | 'answer'
  /**
   * The relation or component that leads to this node; `undefined` at the root of a query, and for polymorphic
   * relations.
   */
  readonly via: Attribute | undefined
  /** The content-type of the written entry, for `named` and `changed`; else `undefined`. */
  readonly from: ContentType | undefined
  /** For `changed`: the attribute that changes; `undefined` for an entry that changes as a whole, and for all other uses. */
  readonly attribute: Attribute | MorphAttribute | undefined
  /** The value of a declared parameter at this node: as given, inherited (scope `inherit`), or its default. */
  param<T>(param: Param<T>): T
  /** Whether the client gave the parameter at this node (or above it, with scope `inherit`). */
  given(param: Param<unknown>): boolean
  /**
   * The conditions of all plugins on the entries that a relation leads to, for the same `use` as this node. Pass it as the
   * `scope` of a condition over the relation, which would otherwise depend on entries that the caller may not read.
   */
  scopeOf(relation: RelationAttribute): Condition | undefined
}

/** The place of an attribute in a query or a write. */
export interface AttributePlace extends Pick<NodeView, 'model' | 'use'> {
  /**
   * For attributes of components: the content-type whose entries the component is part of, and the attributes that lead to it:
   * `['seo', 'social']`. `undefined` for attributes of content-types.
   */
  readonly within: { readonly owner: Model; readonly path: readonly string[] } | undefined
}

/** The narrowing of a node by a plugin. Conditions are joined with all others by AND, so a plugin cannot widen a node. */
export type Narrowing =
  | Condition
  /** The caller may read no entry here: left out of `populate`, 400 in filters and sort, 403 at the root. */
  | 'forbid'

const isMetaTerm = (one: unknown): boolean =>
  isObject(one) && typeof one.name === 'string' && isObject(one.relation) && isObject(one.attribute)

/** The hooks of reads, and of the entries that a write may name and change. */
export const readHooks = {
  'query:node': collect<(node: NodeView, context: ReadContext) => Narrowing | undefined>({
    purpose:
      'Narrows the entries that a node of the query may read, and that a write may refer to or change.',
    when: 'once per node of a plan, and per kind of write; conditions are joined by AND, one `forbid` forbids the node',
    before: 'names and values are resolved, or the input of a write is checked',
    after: 'the plan is frozen and compiled, or the write continues',
    returns: {
      expected: "a condition, 'forbid' or undefined",
      accepts: (answer) => answer === 'forbid' || isCondition(answer),
    },
  }),
  'query:attribute': collect<
    (
      attribute: Attribute | MorphAttribute | UsesAttribute,
      place: AttributePlace,
      context: ReadContext,
    ) => boolean | undefined
  >({
    purpose: 'Hides an attribute as if it did not exist, or protects it from a write of another entry.',
    when: 'once per plan and attribute; one `false` hides it',
    before: 'the name is looked up',
    after: 'the plan uses it',
    returns: booleanResult,
  }),
  'query:private': collect<
    (attribute: Attribute, place: AttributePlace, context: ReadContext) => boolean | undefined
  >({
    purpose:
      'Shows a private attribute to callers who write the content, if no `query:attribute` hides it. Passwords are never shown.',
    when: 'once per plan and private attribute; one `true` shows it',
    before: 'the name is looked up',
    after: '`query:attribute` may hide it',
    returns: booleanResult,
  }),
  'query:meta': collect<(node: NodeView, context: ReadContext) => readonly MetaTerm[] | undefined>({
    purpose: 'Adds values to `meta` of each returned entry.',
    when: 'once per plan; all values are added',
    before: 'the root node is resolved',
    after: 'the plan is frozen and compiled',
    returns: {
      expected: 'a list of { name, relation, attribute } or undefined',
      accepts: (answer) => Array.isArray(answer) && answer.every(isMetaTerm),
    },
  }),
  'query:single': collect<(node: NodeView, context: ReadContext) => boolean | undefined>({
    purpose: 'Returns all entries of a single type that the caller may read, as a list without pages.',
    when: 'once per plan of a single type that is read as a whole; one `true` makes it a list',
    before: 'the query is parsed',
    after: 'the plan is frozen and compiled',
    returns: booleanResult,
  }),
} satisfies HookTable
