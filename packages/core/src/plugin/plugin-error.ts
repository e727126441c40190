import { recognisable } from '@octavo/database'

/** An error in a plugin: a hook threw, or a declaration is invalid. It is logged and never sent to a client. */
export class PluginError extends Error {
  readonly plugin: string
  /** The hook that threw; `undefined` at start. */
  readonly hook: string | undefined

  constructor(plugin: string, hook: string | undefined, message: string, cause?: unknown) {
    super(
      `Plugin "${plugin}"${hook ? ` in ${hook}` : ''}: ${message}`,
      cause === undefined ? undefined : { cause },
    )
    this.name = 'PluginError'
    this.plugin = plugin
    this.hook = hook
  }
}

recognisable(PluginError, 'PluginError')
