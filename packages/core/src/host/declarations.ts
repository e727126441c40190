import { PluginError } from '../plugin/plugin-error.ts'

/** Declarations of one kind by name. @throws PluginError from `claim` for a name that has an owner. */
export class Declarations<T> {
  readonly values: Map<string, T>
  readonly #kind: string
  readonly #owner = new Map<string, string>()

  /** @param kind For messages: `query parameter`. */
  constructor(kind: string, own: Iterable<readonly [string, T]>) {
    this.#kind = kind
    this.values = new Map(own)
    for (const name of this.values.keys()) this.reserve(name)
  }

  reserve(name: string): void {
    this.#owner.set(name, 'core')
  }

  claim(plugin: string, name: string, value: T): void {
    const owner = this.#owner.get(name)
    if (owner !== undefined) {
      const whose = owner === 'core' ? 'core' : `the plugin "${owner}"`
      throw new PluginError(plugin, undefined, `the ${this.#kind} "${name}" already belongs to ${whose}`)
    }
    this.#owner.set(name, plugin)
    this.values.set(name, value)
  }
}
