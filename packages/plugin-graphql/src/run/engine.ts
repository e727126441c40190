/** Answers requests. Loaded by the first one, with the library. */
import type { Octavo, RequestState } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import type {
  FileLimits,
  GraphqlExtension,
  Received,
  ResolverContext,
  RouteContext,
  Routes,
} from '@octavo/server'
import type { GraphQLSchema } from 'graphql'
import { RequestRefusal, refusal } from '../errors.ts'
import { operationWithFiles } from '../files.ts'
import type { GraphqlOptions } from '../options.ts'
import { problem } from '../problems.ts'
import type { Compiling } from '../read/compiling.ts'
import type { Operation } from '../read/selection.ts'
import { ShapeBounds } from '../read/shape-bounds.ts'
import { executableSchema, type KnownLocales } from '../schema/build-schema.ts'
import { enumName, enumValues } from '../schema/names.ts'
import { fileUid } from '../schema/roots.ts'
import type { SchemaText } from '../schema/schema-text.ts'
import { attributesOf } from '../schema/values.ts'
import { accountFields, runAccountField } from './account-fields.ts'
import { Batch, checkBatch } from './batch.ts'
import { Call } from './call.ts'
import { type Document, Documents } from './documents.ts'
import { runEntryField } from './entry-field.ts'
import { type GraphqlRequest, persistedTexts, requestOf, send, sendText, specifiedStatus } from './http.ts'
import { type FieldRunner, operationOf, runOperation } from './operation.ts'
import { type PreparedOperation, PreparedReads } from './prepared-reads.ts'
import { runReads } from './run-reads.ts'
import { type Coerce, coercing } from './variables.ts'

export interface EngineParts {
  readonly octavo: Octavo
  readonly routes: Routes
  readonly options: Required<GraphqlOptions>
  readonly text: SchemaText
  readonly extend: readonly GraphqlExtension[]
  readonly locales: ReloadableLocales
  /** Reads roles for their users. */
  readonly everything: RequestState
}

export interface ReloadableLocales extends KnownLocales {
  /** Reads the locales again. */
  reload(): Promise<void>
}

export class Engine {
  readonly #parts: EngineParts
  readonly #schema: GraphQLSchema
  readonly #documents: Documents
  readonly #coerce: Coerce
  readonly #enums: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly #persisted = persistedTexts()
  readonly #reads: PreparedReads

  constructor(parts: EngineParts) {
    const { octavo, options, extend, text, locales } = parts
    this.#parts = parts
    this.#schema = executableSchema(text, locales, extend)
    const { depthLimit, introspection } = options
    this.#documents = new Documents(this.#schema, {
      depthLimit,
      introspection,
      length: octavo.limits.queryLength,
    })
    this.#enums = renamedValues(octavo, text)
    this.#coerce = coercing(this.#schema, !introspection)
    this.#reads = new PreparedReads(this.#schema, text.roots, this.#coerce)
  }

  /** Answers a request with these parameters, those of the body or of the URL. */
  async answer(context: RouteContext, parameters: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#answer(context, () => this.#run(context, requestOf(parameters, this.#persisted)))
  }

  /** Answers a multipart request. @param mostFiles Of a request. */
  async answerWithFiles(context: RouteContext, received: Received, mostFiles: number): Promise<void> {
    await this.#answer(context, async () => {
      const operation = await operationWithFiles(received, mostFiles)
      return this.#run(context, requestOf(operation, this.#persisted))
    })
  }

  /** Answers a list of operations with the list of their answers. A refused operation does not affect the others. */
  async answerBatch(context: RouteContext, operations: readonly unknown[]): Promise<void> {
    await this.#answer(context, async () => {
      checkBatch(operations)
      const batch = new Batch(this.#parts, context)
      const answers: string[] = []
      // Runs one operation after the other, so that the load of a batch at any time is that of an operation.
      for (const operation of operations) answers.push(await this.#answerOf(operation, context, batch))
      return `[${answers.join(',')}]`
    })
  }

  async #answerOf(operation: unknown, context: RouteContext, batch: Batch): Promise<string> {
    try {
      if (!isObject(operation))
        throw refusal(400, 'BAD_REQUEST', 'An operation of a batch must be an object.')
      return await this.#run(context, requestOf(operation, this.#persisted), batch)
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error
      return JSON.stringify({ errors: error.errors })
    }
  }

  /** Sends the text that `work` makes, or its refusal. */
  async #answer(context: RouteContext, work: () => Promise<string>): Promise<void> {
    try {
      sendText(context, await work())
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error
      const { followSpecification } = this.#parts.options
      send(context, followSpecification ? specifiedStatus(context, error) : error.status, {
        errors: error.errors,
      })
    }
  }

  /** The limits of files, before they are received. @throws ForbiddenError for a caller who may not upload */
  async fileLimits(context: RouteContext): Promise<FileLimits> {
    const { hooks, registry } = this.#parts.octavo
    const state = context.state.octavo as RequestState // set by the server before a handler runs
    const type = registry.contentTypes.get(fileUid)
    if (!type) throw problem('graphql/not-available')
    const name = 'plugin::upload.content-api.upload'
    await new Call(this.#parts, context, Number.POSITIVE_INFINITY).authorize(name, type, state)
    const receiver = hooks.has('server:files')
      ? await hooks.decide('server:files', { name, type }, state)
      : undefined
    if (!receiver) throw problem('graphql/not-available')
    return receiver.limits
  }

  /** @param batch The batch that the operation is part of. @returns the answer, as JSON text. @throws RequestRefusal */
  async #run(context: RouteContext, request: GraphqlRequest, batch?: Batch): Promise<string> {
    const { octavo } = this.#parts
    batch?.count(request)
    const document = this.#documents.known(request.query) ?? (await this.#read(request.query))
    const definition = operationOf(document, request.operationName)
    batch?.admit(document)
    if (context.method === 'GET' && definition.operation !== 'query') {
      context.set('Allow', 'POST')
      throw refusal(405, 'BAD_REQUEST', 'GET requests only support query operations, not mutation operations')
    }
    const { logger } = octavo
    context.state.onlyReads = context.state.onlyReads !== false && definition.operation === 'query'
    const reads = this.#reads.get(document, definition, request.variables, (operation) =>
      this.#compiling(operation),
    )
    const call = new Call(this.#parts, context, this.#timeOf(reads), batch?.call)
    const { data, errors } = reads
      ? await runReads(reads, call, logger)
      : await runOperation(
          document,
          definition,
          { variables: request.variables, coerce: this.#coerce, count: call.count },
          this.#schema,
          this.#runner(context, call),
          logger,
        )
    return errors.length === 0 ? `{"data":${data}}` : `{"errors":${JSON.stringify(errors)},"data":${data}}`
  }

  /** A locale that another process added is known after the list was read again. */
  async #read(query: string): Promise<Document> {
    try {
      return this.#documents.read(query)
    } catch (error) {
      if (!(error instanceof RequestRefusal) || !error.message.includes('Unknown locale')) throw error
    }
    await this.#parts.locales.reload()
    return this.#documents.read(query)
  }

  /** Milliseconds that the reads of an operation may take together. The statement of a single read has a bound of its own. */
  #timeOf(reads: PreparedOperation | undefined): number {
    const { store, limits } = this.#parts.octavo
    if (reads?.fields.length === 1) return Number.POSITIVE_INFINITY
    return store.engine === 'pglite' ? limits.embeddedStatementTime : limits.statementTime
  }

  #compiling(operation: Operation, bounds = new ShapeBounds(this.#parts.octavo.limits)): Compiling {
    const { octavo, options } = this.#parts
    return { operation, registry: octavo.registry, pages: options, enums: this.#enums, bounds }
  }

  #runner(context: RouteContext, call: Call): FieldRunner {
    const { octavo, extend, text, everything } = this.#parts
    const { state, perform } = call
    const bounds = new ShapeBounds(octavo.limits)
    return async (name, nodes, operation, making, byLibrary) => {
      const compiling = this.#compiling(operation, bounds)
      compiling.bounds.countRoot()
      const root = text.roots.get(`Query.${name}`) ?? text.roots.get(`Mutation.${name}`)
      if (root) return runEntryField(root.field, nodes, compiling, call, making)
      if (!Object.hasOwn(accountFields, name)) {
        const action = extend.find(({ actions }) => actions && Object.hasOwn(actions, name))?.actions?.[name]
        if (action !== undefined) await call.authorize(action, undefined, state)
        return byLibrary({ octavo, state, request: context } satisfies ResolverContext)
      }
      const of = name === 'me' ? 'Query' : 'Mutation'
      return runAccountField(name, of, nodes, compiling, { perform, octavo, everything }, making)
    }
  }
}

/** Names of the values of enumerations by value, for attributes where one differs: `api::article.article.status`. */
function renamedValues(
  { registry }: Octavo,
  { enums }: SchemaText,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const renamed = new Map<string, ReadonlyMap<string, string>>()
  for (const model of [...registry.contentTypes.values(), ...registry.components.values()]) {
    for (const attribute of attributesOf(model)) {
      const values = enumValues(attribute) && enums.get(enumName(model, attribute))
      if (!values || [...values].every(([name, value]) => name === value)) continue
      renamed.set(
        `${model.uid}.${attribute.name}`,
        new Map([...values].map(([name, value]) => [value, name])),
      )
    }
  }
  return renamed
}
