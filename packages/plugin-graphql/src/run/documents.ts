/** Texts of queries, parsed and validated once. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  specifiedRules,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { refusalOf } from '../errors.ts'
import { IntrospectionCost } from './introspection-cost.ts'

/** A valid document. */
export interface Document {
  readonly operations: readonly OperationDefinitionNode[]
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Whether one of the operations has `__schema` or `__type`. */
  readonly asksForSchema: boolean
}

export interface DocumentLimits {
  /** Levels of fields below the root field. */
  readonly depthLimit: number
  readonly introspection: boolean
  /** Characters of a text. */
  readonly length: number
}

/** Tokens of a text: the parser and the rules recurse as deep as they nest. */
const maxTokens = 15_000
/** Fields of an operation, with those of fragments each time that they are used. */
const maxFields = 4_000
/** Characters of all cached texts. */
const cachedCharacters = 4_000_000

export class Documents {
  readonly #schema: GraphQLSchema
  readonly #limits: DocumentLimits
  readonly #introspection: IntrospectionCost
  readonly #cache = new LRUCache<string, Document>({
    maxSize: cachedCharacters,
    sizeCalculation: (_document, text) => text.length + 1_000,
  })

  constructor(schema: GraphQLSchema, limits: DocumentLimits) {
    this.#schema = schema
    this.#limits = limits
    this.#introspection = new IntrospectionCost(schema)
  }

  /** The document of a text that was read before, and not long ago. */
  known(text: string): Document | undefined {
    return this.#cache.get(text)
  }

  /** @throws RequestRefusal (400) for a text that is too long, not GraphQL, or does not fit the schema */
  read(text: string): Document {
    const { length, introspection, depthLimit } = this.#limits
    if (text.length > length)
      throw refusalOf('GRAPHQL_PARSE_FAILED', [
        new GraphQLError(`The query has more than ${length} characters.`),
      ])
    const node = parsed(text)
    const fragments = new Map<string, FragmentDefinitionNode>()
    const operations: OperationDefinitionNode[] = []
    for (const definition of node.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
      if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
    }
    // Before the rules, which take long for large operations.
    for (const operation of operations) checkSize(operation, fragments, depthLimit)
    const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
    // A suggestion names parts of the schema.
    const errors = validate(this.#schema, node, rules, { maxErrors: 10, hideSuggestions: !introspection })
    if (errors.length > 0) throw refusalOf('GRAPHQL_VALIDATION_FAILED', errors)
    let asksForSchema = false
    for (const { selectionSet, name } of operations) {
      const cost = this.#introspection.costOf(selectionSet, fragments)
      if (cost > this.#introspection.limit)
        throw refusalOf('GRAPHQL_VALIDATION_FAILED', [
          new GraphQLError(`'${name?.value ?? ''}' asks for the schema too many times`),
        ])
      asksForSchema ||= cost > 0
    }
    const document = { operations, fragments, asksForSchema }
    this.#cache.set(text, document)
    return document
  }
}

function parsed(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens, noLocation: false })
  } catch (error) {
    if (error instanceof GraphQLError) throw refusalOf('GRAPHQL_PARSE_FAILED', [error])
    // A text that nests deeper than the stack.
    if (error instanceof RangeError)
      throw refusalOf('GRAPHQL_PARSE_FAILED', [new GraphQLError('Syntax Error: the query nests too deeply.')])
    throw error
  }
}

/**
 * Counts fields and levels, with those of fragments where they are used; fragments that use themselves are left to the rules.
 *
 * @throws RequestRefusal
 */
function checkSize(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  depthLimit: number,
): void {
  const name = operation.name?.value ?? ''
  const open = new Set<string>()
  let fields = 0
  // Introspection nests deeper than queries of entries, and has a rule of its own.
  const visit = ({ selections }: SelectionSetNode, depth: number, step = 1): void => {
    if (depth > depthLimit)
      throw refusalOf('GRAPHQL_VALIDATION_FAILED', [
        new GraphQLError(`'${name}' exceeds maximum operation depth of ${depthLimit}`),
      ])
    for (const selection of selections) {
      fields += 1
      if (fields > maxFields)
        throw refusalOf('GRAPHQL_VALIDATION_FAILED', [
          new GraphQLError(`'${name}' selects more than ${maxFields} fields`),
        ])
      if (selection.kind === Kind.FIELD) {
        const next = selection.name.value.startsWith('__') ? 0 : step
        if (selection.selectionSet) visit(selection.selectionSet, depth + next, next)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet, depth, step)
      else {
        const fragment = fragments.get(selection.name.value)
        if (!fragment || open.has(selection.name.value)) continue
        open.add(selection.name.value)
        visit(fragment.selectionSet, depth, step)
        open.delete(selection.name.value)
      }
    }
  }
  visit(operation.selectionSet, 0)
}
