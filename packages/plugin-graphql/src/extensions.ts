import { ConfigurationError, type Octavo, OctavoError, PluginError } from '@octavo/core'
import type { GraphqlExtension, Resolver } from '@octavo/server'
import type { GraphqlOptions } from './options.ts'
import type { SchemaText } from './schema/schema-text.ts'

/** An extension, and who added it. */
export interface Extension extends GraphqlExtension {
  /** For messages: `graphql.extend`, `the plugin "geo"`. */
  readonly source: string
}

export interface Extensions {
  readonly extend: readonly Extension[]
  readonly disabled: readonly string[]
}

/** The changes of the schema by the options, then by the plugins. */
export function extensionsOf({ hooks }: Octavo, options: Required<GraphqlOptions>): Extensions {
  const extend: Extension[] = options.extend.map((extension) => ({ ...extension, source: 'graphql.extend' }))
  const disabled = [...options.disabled]
  hooks.register('server:graphql', (plugin) => ({
    use: (extension) =>
      void extend.push({
        ...extension,
        ...(extension.resolvers && { resolvers: namedResolvers(extension.resolvers, plugin) }),
        source: `the plugin "${plugin}"`,
      }),
    disable: (...names) => void disabled.push(...names),
  }))
  return { extend, disabled }
}

type Resolvers = NonNullable<GraphqlExtension['resolvers']>

/** Resolvers whose errors name the plugin. Answers to the client pass unchanged. */
function namedResolvers(resolvers: Resolvers, plugin: string): Resolvers {
  const failed = (error: unknown): never => {
    if (error instanceof OctavoError || error instanceof PluginError) throw error
    throw new PluginError(
      plugin,
      'server:graphql',
      error instanceof Error ? error.message : String(error),
      error,
    )
  }
  const named =
    (resolve: Resolver): Resolver =>
    (...given) => {
      try {
        const answer = resolve(...given)
        return answer instanceof Promise ? answer.catch(failed) : answer
      } catch (error) {
        return failed(error)
      }
    }
  return Object.fromEntries(
    Object.entries(resolvers).map(([type, fields]) => [
      type,
      Object.fromEntries(
        Object.entries(fields).map(([field, resolve]) => [
          field,
          // Another value stops the start, with a message of its own.
          typeof resolve === 'function' ? named(resolve) : resolve,
        ]),
      ),
    ]),
  )
}

/** A mistake in an extension stops the start, which loads the library for it. @throws ConfigurationError that names its source */
export async function checkExtensions(
  { actions }: Octavo,
  text: SchemaText,
  { extend }: Extensions,
): Promise<void> {
  if (extend.length === 0) return
  const { executableSchema } = await import('./schema/build-schema.ts')
  for (const [i, { source, actions: needed = {} }] of extend.entries()) {
    for (const [field, action] of Object.entries(needed))
      if (!actions.has(action))
        throw new ConfigurationError(
          `${source}: ${field} needs the action "${action}", which nothing declares`,
        )
    try {
      // With those before it, whose types it may use.
      executableSchema(text, new Set(), extend.slice(0, i + 1))
    } catch (error) {
      throw new ConfigurationError(
        `${source}: ${withHint((error as Error).message, extend[i]?.typeDefs ?? '')}`,
        { cause: error },
      )
    }
  }
}

/** The message of a schema that is not valid, with what would be: `type Query` defines a type that is there already. */
function withHint(message: string, typeDefs: string): string {
  const [, name] = /^There can be only one type named "(\w+)"/.exec(message) ?? []
  if (name === undefined) return message
  const [, keyword = 'type'] =
    new RegExp(`\\b(type|input|enum|interface|union|scalar)\\s+${name}\\b`).exec(typeDefs) ?? []
  return `${message} To add to the one that is there, write "extend ${keyword} ${name} { … }"; one of your own needs another name.`
}
