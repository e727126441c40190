/** Texts of queries, parsed and validated once. */
import {
  type DefinitionNode,
  type DocumentNode,
  type ExecutableDefinitionNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { refusalOf } from '../errors.ts'
import { checkSize } from './document-size.ts'
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
    const definitions = node.definitions.filter(isExecutable)
    const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    const fragments = fragmentsOf(definitions)
    checkSize(definitions, fragments, depthLimit)
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

const isExecutable = (node: DefinitionNode): node is ExecutableDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION

function fragmentsOf(
  definitions: readonly ExecutableDefinitionNode[],
): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  return fragments
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
