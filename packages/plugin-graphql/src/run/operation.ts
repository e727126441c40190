/** Runs an operation: its root fields, and what becomes of their errors. */
import type { Logger } from '@octavo/core'
import {
  execute,
  type FieldNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { type AnswerError, absentError, fieldError, hiddenError, refusal } from '../errors.ts'
import { collect, type Fields, type Operation } from '../read/selection.ts'
import { type Making, nameOf } from '../read/shape.ts'
import type { Document } from './documents.ts'
import { jsonObject } from './json-text.ts'
import { cut } from './shown-value.ts'
import type { Coerce } from './variables.ts'

export interface OperationRequest {
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly coerce: Coerce
  /** Counts the bytes of all answers. @throws PayloadTooLargeError when there are too many */
  readonly count: Making['count']
}

export interface OperationAnswer {
  /** JSON text. */
  readonly data: string
  readonly errors: readonly AnswerError[]
}

/**
 * Runs a root field.
 * @param byLibrary Runs the resolvers of the field, with a context for them.
 */
export type FieldRunner = (
  name: string,
  nodes: readonly FieldNode[],
  operation: Operation,
  making: Making,
  byLibrary: (context: unknown) => Promise<unknown>,
) => Promise<unknown>

/** The operation of a document that a request names. @throws RequestRefusal */
export function operationOf({ operations }: Document, name: string | undefined): OperationDefinitionNode {
  if (name !== undefined && name !== '') {
    const found = operations.find((operation) => operation.name?.value === name)
    if (found) return found
    throw refusal(400, 'OPERATION_RESOLUTION_FAILURE', `Unknown operation named "${cut(name)}".`)
  }
  const [only] = operations
  if (only && operations.length === 1) return only
  throw refusal(
    400,
    'OPERATION_RESOLUTION_FAILURE',
    only
      ? 'Must provide operation name if query contains multiple operations.'
      : 'Must provide an operation.',
  )
}

/** @throws RequestRefusal for variables that do not fit */
export async function runOperation(
  document: Document,
  definition: OperationDefinitionNode,
  { variables, coerce, count }: OperationRequest,
  schema: GraphQLSchema,
  run: FieldRunner,
  logger: Logger,
): Promise<OperationAnswer> {
  const type = definition.operation === 'query' ? schema.getQueryType() : schema.getMutationType()
  if (!type || definition.operation === 'subscription')
    throw refusal(400, 'BAD_REQUEST', `There are no ${definition.operation}s.`)
  const values = coerce(definition, variables)
  const operation: Operation = { schema, fragments: document.fragments, variables: values }
  const fields = collect([definition.selectionSet], type.name, operation)
  const problems: AnswerError[] = []
  const runField = ([key, nodes]: readonly [string, readonly FieldNode[]]): Promise<unknown> =>
    runRoot(key, nodes, type, { document, definition, variables, operation, run, logger, problems, count })
  const answers =
    definition.operation === 'query'
      ? await Promise.all([...fields].map(runField))
      : await inTurn([...fields], runField)
  return answerOf(fields, answers, type, problems)
}

/** Adds the values of a field that the schema requires and the answer lacks to the errors. */
export const makingOf = (key: string, errors: AnswerError[], count: Making['count']): Making => ({
  absent: (field, isHidden) => void errors.push(isHidden ? hiddenError(field, key) : absentError(field, key)),
  count,
})

interface Running {
  readonly document: Document
  readonly definition: OperationDefinitionNode
  /** As given. */
  readonly variables: OperationRequest['variables']
  readonly count: Making['count']
  readonly operation: Operation
  readonly run: FieldRunner
  readonly logger: Logger
  readonly problems: AnswerError[]
}

async function runRoot(
  key: string,
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  running: Running,
): Promise<unknown> {
  const { operation, run, logger, problems, count } = running
  const name = nameOf(nodes)
  if (name === '__typename') return type.name
  const byLibrary = (context: unknown): Promise<unknown> => resolved(key, nodes, running, context)
  if (name === '__schema' || name === '__type') return byLibrary(undefined)
  const making = makingOf(key, problems, count)
  try {
    return await run(name, nodes, operation, making, byLibrary)
  } catch (error) {
    problems.push(fieldError(error, key, logger))
    return null
  }
}

/** The value of a field that the library executes: introspection, and fields with resolvers. */
async function resolved(
  key: string,
  selections: readonly FieldNode[],
  { document: { fragments }, definition, operation: { schema }, variables, problems, logger }: Running,
  contextValue: unknown,
): Promise<unknown> {
  const result = await execute({
    schema,
    document: {
      kind: Kind.DOCUMENT,
      definitions: [
        {
          kind: Kind.OPERATION_DEFINITION,
          operation: definition.operation,
          selectionSet: { kind: Kind.SELECTION_SET, selections },
          ...(definition.variableDefinitions && { variableDefinitions: definition.variableDefinitions }),
        },
        ...fragments.values(),
      ],
    },
    contextValue,
    ...(variables && { variableValues: variables }),
  })
  for (const { originalError, message } of result.errors ?? [])
    problems.push(
      originalError && !(originalError instanceof GraphQLError)
        ? fieldError(originalError, key, logger)
        : { message, extensions: { code: 'INTERNAL_SERVER_ERROR', field: key } },
    )
  return result.data?.[key] ?? null
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}

/** A field that cannot be null makes the whole answer null. */
function answerOf(
  fields: Fields,
  values: readonly unknown[],
  type: GraphQLObjectType,
  errors: readonly AnswerError[],
): OperationAnswer {
  const members: (readonly [string, unknown])[] = []
  for (const [i, [key, nodes]] of [...fields].entries()) {
    const value = values[i] ?? null
    const field = type.getFields()[nameOf(nodes)]
    if (value === null && field && isNonNullType(field.type)) return { data: 'null', errors }
    members.push([key, value])
  }
  return { data: jsonObject(members), errors }
}
