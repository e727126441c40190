import { recognisable } from '../error/recognisable.ts'

/** A plugin is at fault: it throws in a hook, or what it declares cannot be. Never shown to a client; the log has it. */
export class PluginError extends Error {
  readonly plugin: string
  /** The hook that was running; `undefined` at start. */
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
