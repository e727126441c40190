/** Operations that only read entries, compiled once for all requests that differ in ids only. */
import {
  type ASTNode,
  type FieldNode,
  GraphQLID,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
  type VariableNode,
  valueFromAST,
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
  /** The key as JSON: `"article":`. */
  readonly name: string
  /** `undefined`: the name of the type. */
  readonly field: EntryField | undefined
  /** The read, or the error of its arguments. */
  readonly read: CompiledRead | Error
  /** The index of its id in {@link PreparedOperation.ids}; `undefined`: it is in `read.values`. */
  readonly slot: number | undefined
}

export interface PreparedOperation {
  readonly fields: readonly PreparedField[]
  /** The values of the variables that are only ids. */
  readonly ids: readonly unknown[]
}

/** A variable of the type `ID` or `ID!`. */
interface IdVariable {
  readonly name: string
  readonly isRequired: boolean
  /** `undefined` without one. */
  readonly fallback: string | null | undefined
}

/** The uses of the variables of an operation. */
interface Uses {
  /** Unique among the operations of the process. */
  readonly key: number
  readonly shaping: readonly string[]
  /** Variables that are only the id of a root field. */
  readonly ids: readonly IdVariable[]
}

/** Characters of all cached operations. */
const cachedCharacters = 8_000_000
/** Characters of variables up to which an operation is cached. */
const variableCharacters = 2_000

export class PreparedReads {
  readonly #schema: GraphQLSchema
  readonly #coerce: Coerce
  readonly #roots: ReadonlyMap<string, RootField>
  /** The operations so far. */
  #count = 0
  /** `undefined` for an operation with other fields. */
  readonly #uses = new WeakMap<OperationDefinitionNode, { readonly uses: Uses | undefined }>()
  readonly #cache = new LRUCache<string, readonly PreparedField[]>({
    maxSize: cachedCharacters,
    sizeCalculation: (fields, key) =>
      fields.reduce(
        (size, { read }) => size + ('request' in read ? 8 * read.request.query.length : 0) + 1_000,
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
    const key = `${uses.key} ${given}`
    let fields = this.#cache.get(key)
    if (!fields) {
      const values = this.#coerce(definition, variables)
      const operation = { schema: this.#schema, fragments: document.fragments, variables: values }
      fields = this.#compile(definition, compiling(operation), uses)
      if (given.length <= variableCharacters) this.#cache.set(key, fields)
    }
    return { fields, ids: this.#idsOf(uses, definition, variables) }
  }

  /** @throws RequestRefusal with the messages of the library */
  #idsOf({ ids }: Uses, definition: OperationDefinitionNode, variables: Variables): readonly unknown[] {
    try {
      return ids.map((variable) => idOf(variable, variables))
    } catch (error) {
      const names = new Set(ids.map(({ name }) => name))
      this.#coerce(definition, variables, names)
      throw error
    }
  }

  #compile(
    { selectionSet }: OperationDefinitionNode,
    compiling: Compiling,
    { ids }: Uses,
  ): readonly PreparedField[] {
    return [...collect([selectionSet], 'Query', compiling.operation)].map(([key, nodes]) => {
      const field = this.#roots.get(`Query.${nameOf(nodes)}`)?.field
      const variable = idVariableOf(nodes[0])?.name.value
      const slot = ids.findIndex(({ name }) => name === variable)
      return {
        key,
        name: `${JSON.stringify(key)}:`,
        field,
        read: field ? readOf(field, nodes, compiling) : new Error('A name has no read'),
        slot: slot === -1 ? undefined : slot,
      }
    })
  }

  #usesOf(definition: OperationDefinitionNode, document: Document): Uses | undefined {
    const known = this.#uses.get(definition)
    if (known) return known.uses
    this.#count += 1
    const uses = usesOf(definition, document, this.#roots, this.#count)
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

/** The value of a variable, by the rules of variables. @throws Error for one that does not fit */
function idOf({ name, isRequired, fallback }: IdVariable, variables: Variables = {}): unknown {
  const given = Object.hasOwn(variables, name) ? variables[name] : undefined
  if (given !== undefined && given !== null) return GraphQLID.parseValue(given)
  if (given === undefined && fallback !== undefined) return fallback
  if (isRequired) throw new Error(`$${name} is missing`)
  return given
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
  key: number,
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
  const all = definition.variableDefinitions ?? []
  const ids = new Set([...idNodes].map(({ name }) => name.value).filter((name) => !others.has(name)))
  return {
    key,
    shaping: all.map(({ variable }) => variable.name.value).filter((name) => others.has(name)),
    ids: all.filter(({ variable }) => ids.has(variable.name.value)).map(idVariable),
  }
}

function idVariable({ variable, type, defaultValue }: VariableDefinitionNode): IdVariable {
  const isRequired = type.kind === Kind.NON_NULL_TYPE
  const fallback = defaultValue && (valueFromAST(defaultValue, GraphQLID) as string | null)
  return { name: variable.name.value, isRequired, fallback }
}
