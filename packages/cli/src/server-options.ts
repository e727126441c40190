import { definitionsOf, type Logger, loadContentTypes } from '@octavo/core'
import type { ServerOptions } from '@octavo/server'
import { builtInPlugins } from './built-in-plugins.ts'
import { loadConfig, type OctavoConfig } from './config.ts'
import { UsageError } from './usage-error.ts'

/** Options that every command takes. */
export interface CommonFlags {
  readonly config?: string
  readonly content?: string
  readonly database?: string
  /** `pretty` or `json`. */
  readonly log?: string
}

export interface Configured {
  readonly config: OctavoConfig
  readonly options: ServerOptions
}

/** Where the embedded database lives unless something else is said. */
const defaultDatabase = 'file:./.octavo/data'

/** Brings the configuration and the flags together; a flag wins. @throws UsageError, DefinitionError */
export async function configured(flags: CommonFlags, logger: Logger): Promise<Configured> {
  // A folder of content and nothing else is a whole server; a configuration that lies about is not meant then.
  const config =
    flags.config === undefined && flags.content !== undefined ? {} : await loadConfig(flags.config)
  const content = flags.content ?? config.content
  if (content === undefined && !config.contentTypes) {
    throw new UsageError(
      'There are no content-types: give a folder with --content, or a configuration with --config',
    )
  }
  const loaded = content === undefined ? { contentTypes: [], components: [] } : loadContentTypes(content)
  return {
    config,
    options: {
      ...config,
      contentTypes: [...loaded.contentTypes, ...definitionsOf(config.contentTypes)],
      components: [...loaded.components, ...definitionsOf(config.components)],
      plugins: config.plugins ?? (await builtInPlugins()),
      database: flags.database ?? config.database ?? defaultDatabase,
      logger,
    },
  }
}
