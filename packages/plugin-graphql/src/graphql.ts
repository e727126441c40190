import type { Octavo, RequestState } from '@octavo/core'
import { checkOptions, Lazy } from '@octavo/core/internal'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import { admitOperator, isOperator, type RouteContext, type Routes } from '@octavo/server'
import { checkExtensions, extensionsOf } from './extensions.ts'
import { type GraphqlOptions, optionKeys, withDefaults } from './options.ts'
import { Page, wantsPage } from './page/page.ts'
import { problem } from './problems.ts'
import type { Engine, ReloadableLocales } from './run/engine.ts'
import { writeDrafts } from './run/new-drafts.ts'
import { equalsJson, jsonOperator } from './schema/json-operator.ts'
import { type SchemaText, schemaText } from './schema/schema-text.ts'

const localeUid = 'plugin::i18n.locale'

/** Bodies of GraphQL have no files. */
const noFiles = { fileSize: 0, files: 0, idle: 10_000 }

/**
 * Answers GraphQL at `/graphql`, with the schema of the reference's plugin. Each root field is a read or a write of REST.
 *
 *     graphql({ depthLimit: 8, amountLimit: 50 })
 */
export const graphql = (given: GraphqlOptions = {}): Plugin =>
  definePlugin({
    name: 'graphql',
    // New entries are drafts, which draftPublish would publish.
    before: ['draft-publish'],
    after: ['users-permissions', 'i18n'],
    setup(host) {
      checkOptions(given, optionKeys, 'graphql')
      const options = withDefaults(given)
      const everything = host.unrestricted('it checks the names of locales and reads the roles of callers')
      const octavo = host.start(async (running) => {
        // Two types with one name stop the start.
        const extensions = extensionsOf(running, options)
        const text = schemaText(running, extensions.disabled)
        await checkExtensions(running, text, extensions)
        const locales = new Locales(running, everything)
        await running.store.listen(localeChannel, () => void relearn(locales))
        return { running, text, extensions, locales }
      })
      let changed: SchemaText | undefined
      let engine: Lazy<Engine> | undefined
      /** The locales that the engine was made with. */
      let madeWith: ReadonlySet<string> | undefined
      /**
       * Most messages mean no change: a process that has lost its listening connection has one each second. The message of an import may arrive while the first
       * request makes the engine, which reads them then.
       */
      const relearn = async (locales: Locales): Promise<void> => {
        const isRead = await locales.reload().then(
          () => true,
          () => false,
        )
        if (!isRead || (madeWith && madeWith !== locales.codes)) engine?.forget()
      }
      writeDrafts(host)
      host.operator(jsonOperator, equalsJson)
      host.hook('content-type:added', () => {
        const { running, extensions } = octavo()
        changed = schemaText(running, extensions.disabled)
        engine?.forget()
      })
      // The texts of known operations were checked against the locales. The caller of the write has the new ones at once, without waiting for a message.
      host.hook('entry:committed', () => engine?.forget(), { types: [localeUid] })
      host.command('graphql schema', {
        description: 'prints the schema of GraphQL',
        run: async (running, _flags, print) => {
          const { printedSchema } = await import('./schema/printed.ts')
          const { extend, disabled } = extensionsOf(running, options)
          print(printedSchema(schemaText(running, disabled), extend))
          return true
        },
      })
      host.hook('server:routes', (routes) => {
        const made = new Lazy(async () => {
          const { running, text, extensions, locales } = octavo()
          const { Engine } = await import('./run/engine.ts')
          await locales.reload()
          madeWith = locales.codes
          const { extend } = extensions
          return new Engine({
            octavo: running,
            routes,
            options,
            extend,
            text: changed ?? text,
            locales,
            everything,
          })
        })
        engine = made
        addRoutes(routes, options, () => made.get())
      })
    },
  })

function addRoutes(routes: Routes, options: Required<GraphqlOptions>, engine: () => Promise<Engine>): void {
  const { endpoint: path, playgroundAlways } = options
  const page = playgroundAlways || process.env.NODE_ENV !== 'production' ? new Page(routes, path) : undefined
  const isAudience = ({ req }: RouteContext): boolean => playgroundAlways || isOperator(req)
  routes.add({
    method: 'POST',
    path,
    root: true,
    handler: async (context) => {
      // `context.is` takes longer than the rest of this handler.
      if (context.req.headers['content-type'] !== 'application/json') {
        if (context.is('multipart')) return answerWithFiles(context, routes, await engine())
        // Forms of other sites cannot send JSON.
        if (!context.is('application/json', '+json')) throw problem('graphql/form')
      }
      const { fields, items } = await routes.receive(context, noFiles)
      if (items) await (await engine()).answerBatch(context, items)
      else await (await engine()).answer(context, fields)
    },
  })
  routes.add({
    method: 'GET',
    path,
    root: true,
    handler: async (context) => {
      if (page && wantsPage(context)) {
        if (admitOperator(context)) return
        if (isAudience(context)) return page.answer(context)
      }
      await (await engine()).answer(context, parametersOf(context))
    },
  })
}

/** Headers that forms of other sites cannot send. */
const unlikeForms = ['authorization', 'apollo-require-preflight', 'x-apollo-operation-name']

/** An operation with files, of a caller who may upload. */
async function answerWithFiles(context: RouteContext, routes: Routes, engine: Engine): Promise<void> {
  if (!unlikeForms.some((name) => context.get(name) !== '')) throw problem('graphql/form')
  const limits = await engine.fileLimits(context)
  const received = await routes.receive(context, limits)
  try {
    await engine.answerWithFiles(context, received, limits.files)
  } finally {
    await received.discard()
  }
}

const parametersOf = ({ query }: RouteContext): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()[0]]))

/**
 * The channel on which plugin-i18n announces that locales have changed: in another process, or by an import, which runs no hooks. Nothing is sent on it
 * without that plugin.
 */
const localeChannel = 'octavo_i18n'

/** More than there are languages with their regions: a project may have more locales than `rest.maxLimit`. */
const mostLocales = 10_000

/** A locale in PostgreSQL's JSON. */
interface LocaleEntry {
  readonly attributes: { readonly code: string }
}

/** The codes of the locales of plugin-i18n, if it is there. */
class Locales implements ReloadableLocales {
  readonly #octavo: Octavo
  readonly #state: RequestState
  #codes: ReadonlySet<string> = new Set()
  /** The numbers of the reading that began last, and of the one whose result is in use. */
  #begun = 0
  #used = 0

  constructor(octavo: Octavo, state: RequestState) {
    this.#octavo = octavo
    this.#state = state
  }

  /** The codes. Each change makes a new set. */
  get codes(): ReadonlySet<string> {
    return this.#codes
  }

  has(code: string): boolean {
    return this.#codes.has(code)
  }

  async reload(): Promise<void> {
    if (!this.#octavo.registry.contentTypes.has(localeUid)) return
    this.#begun += 1
    const number = this.#begun
    const { data } = await this.#octavo.read({
      type: this.#octavo.registry.contentType(localeUid),
      action: 'find',
      kind: 'list',
      query: 'fields[0]=code&pagination[limit]=-1&pagination[withCount]=false',
      maxLimit: mostLocales,
      state: this.#state,
    })
    const locales = JSON.parse(data ?? '[]') as readonly LocaleEntry[]
    // Of several readings at once, the one that began last knows of every change before it.
    if (number < this.#used) return
    this.#used = number
    const codes = new Set(locales.map(({ attributes }) => attributes.code))
    const isSame = codes.size === this.#codes.size && [...codes].every((code) => this.#codes.has(code))
    if (!isSame) this.#codes = codes
  }
}
