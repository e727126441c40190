/** Answers requests. Loaded by the first one, with the library. */
import type { Octavo, RequestState } from '@octavo/core'
import type { ContentType, EntryInput } from '@octavo/core/plugin'
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
import { type EntryField, fileUid } from '../schema/roots.ts'
import type { SchemaText } from '../schema/schema-text.ts'
import { attributesOf } from '../schema/values.ts'
import { accountFields, type Perform, runAccountField } from './account-fields.ts'
import type { Call } from './call.ts'
import { type Document, Documents } from './documents.ts'
import { runEntryField } from './entry-field.ts'
import { type GraphqlRequest, persistedTexts, requestOf, send, sendText, specifiedStatus } from './http.ts'
import { type FieldRunner, operationOf, runOperation } from './operation.ts'
import { AnswerBytes, OperationSignal } from './operation-bounds.ts'
import { PreparedReads } from './prepared-reads.ts'
import { runReads } from './run-reads.ts'
import { type Coerce, coercing } from './variables.ts'

export interface EngineParts {
  readonly octavo: Octavo
  readonly routes: Routes
  readonly options: Required<GraphqlOptions>
  readonly text: SchemaText
  readonly extend: readonly GraphqlExtension[]
  readonly locales: ReloadableLocales
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
  async answer(context: RouteContext, given: Readonly<Record<string, unknown>> | Received): Promise<void> {
    try {
      const parameters = isReceived(given) ? operationWithFiles(given) : given
      await this.#run(context, requestOf(parameters, this.#persisted))
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
    await this.#authorize(context, name, type, state)
    const receiver = hooks.has('server:files')
      ? await hooks.decide('server:files', { name, type }, state)
      : undefined
    if (!receiver) throw problem('graphql/not-available')
    return receiver.limits
  }

  async #run(context: RouteContext, request: GraphqlRequest): Promise<void> {
    const { octavo, locales } = this.#parts
    const found = this.#document(request.query, locales)
    const document = found instanceof Promise ? await found : found
    const definition = operationOf(document, request.operationName)
    if (context.method === 'GET' && definition.operation !== 'query') {
      context.set('Allow', 'POST')
      throw refusal(405, 'BAD_REQUEST', 'GET requests only support query operations, not mutation operations')
    }
    const { logger } = octavo
    context.state.onlyReads = definition.operation === 'query'
    const bounds = new ShapeBounds(octavo.limits)
    const compiling = (operation: Operation): Compiling => this.#compiling(operation, bounds)
    const reads = this.#reads.get(document, definition, request.variables, compiling)
    const call = this.#callOf(context, reads?.fields.length === 1)
    const { data, errors } = reads
      ? await runReads(reads, call, logger)
      : await runOperation(
          document,
          definition,
          { variables: request.variables, coerce: this.#coerce, count: call.count },
          this.#schema,
          this.#runner(context, call, compiling),
          logger,
        )
    sendText(
      context,
      errors.length === 0 ? `{"data":${data}}` : `{"errors":${JSON.stringify(errors)},"data":${data}}`,
    )
  }

  /** A locale that another process added is known after the list was read again. */
  #document(query: string, locales: ReloadableLocales): Document | Promise<Document> {
    try {
      return this.#documents.get(query)
    } catch (error) {
      if (!(error instanceof RequestRefusal) || !error.message.includes('Unknown locale')) throw error
      return locales.reload().then(() => this.#documents.get(query))
    }
  }

  #compiling(operation: Operation, bounds: ShapeBounds): Compiling {
    const { octavo, options } = this.#parts
    return { operation, registry: octavo.registry, pages: options, enums: this.#enums, bounds }
  }

  /** @param isAlone Whether the operation is a single read, whose statement has the bounds of REST itself. */
  #callOf(context: RouteContext, isAlone: boolean): Call {
    const { octavo, options, routes } = this.#parts
    const state = context.state.octavo as RequestState // set by the server before a handler runs
    const { statementTime, embeddedStatementTime, answerBytes } = octavo.limits
    const read = routes.readOf(context)
    const time = octavo.store.engine === 'pglite' ? embeddedStatementTime : statementTime
    const signal = read.signal && !isAlone ? new OperationSignal(read.signal, time) : undefined
    const bytes = new AnswerBytes(answerBytes, read.requireRoom)
    return {
      octavo,
      state,
      common: { ...read, ...(signal && { signal }), requireRoom: bytes.requireRoom },
      signal,
      pages: options,
      authorize: (action, type, own) => this.#authorize(context, action, type, own),
      around: (field, values, own, run) =>
        routes.around(
          context,
          () => ({ ...restOf(field, values), state: own }),
          { name: field.action ?? '', type: field.type },
          run,
        ),
      count: bytes.count,
      localize: (type, id, input) => localize(this.#performer(context), type, id, input),
    }
  }

  #runner(context: RouteContext, call: Call, compilingOf: (operation: Operation) => Compiling): FieldRunner {
    const { octavo, extend, text } = this.#parts
    const { state } = call
    const perform = this.#performer(context)
    return async (name, nodes, operation, making, byLibrary) => {
      const compiling = compilingOf(operation)
      compiling.bounds.countRoot()
      const root = text.roots.get(`Query.${name}`) ?? text.roots.get(`Mutation.${name}`)
      if (root) return runEntryField(root.field, nodes, compiling, call, making)
      if (!Object.hasOwn(accountFields, name)) {
        const action = extend.find(({ actions }) => actions && Object.hasOwn(actions, name))?.actions?.[name]
        if (action !== undefined) await this.#authorize(context, action, undefined, state)
        return byLibrary({ octavo, state, request: context } satisfies ResolverContext)
      }
      const of = name === 'me' ? 'Query' : 'Mutation'
      return runAccountField(name, of, nodes, compiling, { perform, octavo }, making)
    }
  }

  /** @throws ForbiddenError */
  async #authorize(
    context: RouteContext,
    action: string | undefined,
    type: ContentType | undefined,
    state: RequestState,
  ): Promise<void> {
    const { octavo, routes } = this.#parts
    if (action === undefined) throw problem('graphql/not-available')
    if (octavo.hooks.has('server:authorize'))
      return octavo.hooks.guard('server:authorize', { name: action, type }, state)
    const isRead = /\.(find|findOne|listLocales)$/.test(action)
    const path = context.path
    const endpoint = {
      method: isRead ? 'GET' : 'POST',
      path,
      route: path,
      root: true,
      plugin: 'graphql',
    } as const
    if (!(await routes.permits({ ...endpoint, actions: [action] }, state)))
      throw problem('graphql/not-available')
  }

  #performer(context: RouteContext): Perform {
    const { routes } = this.#parts
    return async (request) => {
      const { body } = await routes.perform(context, request)
      return typeof body === 'string' ? JSON.parse(body) : body
    }
  }
}

async function localize(
  perform: Perform,
  type: ContentType,
  id: number | undefined,
  input: EntryInput,
): Promise<number> {
  const path =
    type.kind === 'singleType'
      ? `/${type.singularName}/localizations`
      : `/${type.pluralName}/${id ?? ''}/localizations`
  const made = (await perform({ method: 'POST', path, body: input })) as { readonly id: number } // the answer of the route
  return made.id
}

const isReceived = (given: object): given is Received => 'discard' in given && 'files' in given

/** The request of REST for an action: its method, path and body. */
function restOf({ kind, type }: EntryField, { id, data }: Readonly<Record<string, unknown>>) {
  const methods = { create: 'POST', localize: 'POST', update: 'PUT', delete: 'DELETE' } as const
  const method =
    kind === 'create' || kind === 'localize' || kind === 'update' || kind === 'delete' ? methods[kind] : 'GET'
  const root = `/${type.kind === 'singleType' ? type.singularName : type.pluralName}`
  const path = id === undefined || id === null ? root : `${root}/${encodeURIComponent(String(id))}`
  return { method, path, ...(data !== undefined && { body: { data } }) } as const
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
