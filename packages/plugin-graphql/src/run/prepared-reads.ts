/** Operations that only read entries, compiled once for all requests that differ in ids only. */
import {
  type ASTNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type VariableNode,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { type CompiledRead, compileRead } from '../read/compile-read.ts'
import type { Compiling } from '../read/compiling.ts'
import { collect, type Operation } from '../read/selection.ts'
import { nameOf } from '../read/shape.ts'
import { type EntryField, isRead, type RootField } from '../schema/roots.ts'
import type { Document } from './documents.ts'
import type { Coerce, Variables } from './variables.ts'

/** A root field of a compiled operation. */
export interface PreparedField {
  readonly key: string
  /** `undefined`: the name of the type. */
  readonly field: EntryField | undefined
  /** The read, or the error of its arguments. */
  readonly read: CompiledRead | Error
  /** The variable with its id; `undefined`: it is in `read.values`. */
  readonly idVariable: string | undefined
}

export interface PreparedOperation {
  readonly fields: readonly PreparedField[]
  /** The values of the variables with ids, or of all. */
  readonly ids: Readonly<Record<string, unknown>>
}

/** Which variables of an operation shape its reads. */
interface Uses {
  readonly shaping: readonly string[]
  /** Variables that are only the id of a root field. */
  readonly ids: ReadonlySet<string>
}

/** Characters of all cached operations. */
const cachedCharacters = 8_000_000
/** Characters of variables up to which an operation is cached. */
const variableCharacters = 2_000

export class PreparedReads {
  readonly #schema: GraphQLSchema
  readonly #coerce: Coerce
  readonly #roots: ReadonlyMap<string, RootField>
  /** `undefined` for an operation with other fields. */
  readonly #uses = new WeakMap<OperationDefinitionNode, { readonly uses: Uses | undefined }>()
  readonly #cache = new LRUCache<string, readonly PreparedField[]>({
    maxSize: cachedCharacters,
    sizeCalculation: (fields, key) =>
      fields.reduce(
        (size, { read }) => size + ('query' in read ? 8 * read.query.length : 0) + 1_000,
        key.length,
      ),
  })

  constructor(schema: GraphQLSchema, roots: ReadonlyMap<string, RootField>, coerce: Coerce) {
    this.#schema = schema
    this.#coerce = coerce
    this.#roots = roots
  }

  /**
   * The operation with its variables; `undefined` for one with other root fields than reads of entries.
   *
   * @param compiling Makes the parts that the selections of an operation share.
   *
   * @throws RequestRefusal for variables that do not fit
   */
  get(
    document: Document,
    definition: OperationDefinitionNode,
    variables: Variables,
    compiling: (operation: Operation) => Compiling,
  ): PreparedOperation | undefined {
    const uses = this.#usesOf(definition, document)
    if (!uses) return undefined
    const given = shapingValues(uses, variables)
    const key = `${document.id}\0${definition.name?.value ?? ''}\0${given}`
    const known = this.#cache.get(key)
    if (known) {
      const ids = plainIds(uses, variables) ?? this.#coerce(definition, variables, uses.ids)
      return { fields: known, ids }
    }
    const values = this.#coerce(definition, variables)
    const { fragments } = document
    const operation: Operation = { schema: this.#schema, fragments, variables: values }
    const fields = this.#compile(definition, compiling(operation), uses)
    if (given.length <= variableCharacters) this.#cache.set(key, fields)
    return { fields, ids: values }
  }

  #compile(
    { selectionSet }: OperationDefinitionNode,
    compiling: Compiling,
    { ids }: Uses,
  ): readonly PreparedField[] {
    return [...collect([selectionSet], 'Query', compiling.operation)].map(([key, nodes]) => {
      const field = this.#roots.get(`Query.${nameOf(nodes)}`)?.field
      const idVariable = idVariableOf(nodes[0])?.name.value
      return {
        key,
        field,
        read: field ? readOf(field, nodes, compiling) : new Error('A name has no read'),
        idVariable: idVariable !== undefined && ids.has(idVariable) ? idVariable : undefined,
      }
    })
  }

  #usesOf(definition: OperationDefinitionNode, document: Document): Uses | undefined {
    const known = this.#uses.get(definition)
    if (known) return known.uses
    const uses = usesOf(definition, document, this.#roots)
    this.#uses.set(definition, { uses })
    return uses
  }
}

function readOf(field: EntryField, nodes: readonly FieldNode[], compiling: Compiling): CompiledRead | Error {
  try {
    compiling.bounds.countRoot()
    return compileRead(field, nodes, compiling)
  } catch (error) {
    return error as Error // thrown again by the field, after its permission is checked
  }
}

/** The ids of a request whose ids are all texts or integers, which need no library; every id is of the scalar `ID`. */
function plainIds({ ids }: Uses, variables: Variables = {}): PreparedOperation['ids'] | undefined {
  const values: Record<string, unknown> = Object.create(null)
  for (const name of ids) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (typeof value !== 'string' && !Number.isSafeInteger(value)) return undefined
    values[name] = String(value)
  }
  return values
}

const shapingValues = ({ shaping }: Uses, variables: Variables = {}): string =>
  shaping.length === 0
    ? ''
    : JSON.stringify(shaping.map((name) => (Object.hasOwn(variables, name) ? [variables[name]] : [])))

/** The variable that is the argument `id` of a field. */
function idVariableOf(node: FieldNode | undefined): VariableNode | undefined {
  const value = node?.arguments?.find(({ name }) => name.value === 'id')?.value
  return value?.kind === Kind.VARIABLE ? value : undefined
}

function usesOf(
  definition: OperationDefinitionNode,
  { fragments }: Document,
  roots: ReadonlyMap<string, RootField>,
): Uses | undefined {
  if (definition.operation !== 'query') return undefined
  const top: FieldNode[] = []
  const addTop = ({ selectionSet: { selections } }: Pick<OperationDefinitionNode, 'selectionSet'>): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) top.push(selection)
      else if (selection.kind === Kind.INLINE_FRAGMENT) addTop(selection)
      else {
        const fragment = fragments.get(selection.name.value)
        if (fragment) addTop(fragment)
      }
    }
  }
  addTop(definition)
  const isPrepared = ({ name: { value } }: FieldNode): boolean => {
    const root = roots.get(`Query.${value}`)
    return value === '__typename' || (root !== undefined && isRead(root.field))
  }
  if (!top.every(isPrepared)) return undefined
  const idNodes = new Set(
    top.flatMap((node) =>
      roots.get(`Query.${node.name.value}`)?.field.kind === 'findOne' ? (idVariableOf(node) ?? []) : [],
    ),
  )
  const others = new Set<string>()
  const parts: readonly ASTNode[] = [
    definition.selectionSet,
    ...(definition.directives ?? []),
    ...fragments.values(),
  ]
  for (const part of parts)
    visit(part, {
      enter: (node) => {
        if (node.kind === Kind.VARIABLE && !idNodes.has(node)) others.add(node.name.value)
      },
    })
  const names = (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
  return {
    shaping: names.filter((name) => others.has(name)),
    ids: new Set([...idNodes].map(({ name }) => name.value).filter((name) => !others.has(name))),
  }
}
