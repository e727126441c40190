import { didYouMean } from '../content-type/nearest.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type { Plugin } from './define.ts'

/**
 * Sorts plugins into the order in which their hooks run: each after the plugins in its `after` and `requires`, before
 * those in its `before`; otherwise in the order of the list.
 *
 * @throws PluginError naming the plugins, for a duplicate name, a missing required plugin, or a circular order.
 */
export function orderPlugins(plugins: readonly Plugin[]): readonly Plugin[] {
  const byName = new Map<string, Plugin>()
  for (const plugin of plugins) {
    if (byName.has(plugin.name))
      throw new PluginError(plugin.name, undefined, `two plugins are named "${plugin.name}"`)
    byName.set(plugin.name, plugin)
  }
  const behind = predecessors(plugins, byName)
  const ordered: Plugin[] = []
  const done = new Set<string>()
  while (ordered.length < plugins.length) {
    const next = plugins.find(
      (plugin) => !done.has(plugin.name) && [...behindOf(behind, plugin)].every((name) => done.has(name)),
    )
    if (!next) {
      const rest = plugins.filter((plugin) => !done.has(plugin.name))
      const first = rest[0] as Plugin // the loop runs only while some plugin is not done
      throw new PluginError(
        first.name,
        undefined,
        `the order of ${rest.map((p) => `"${p.name}"`).join(', ')} is circular`,
      )
    }
    done.add(next.name)
    ordered.push(next)
  }
  return ordered
}

const behindOf = (behind: ReadonlyMap<string, ReadonlySet<string>>, plugin: Plugin): ReadonlySet<string> =>
  behind.get(plugin.name) ?? new Set()

/** The plugin with nearly the name, or of the package with the name: names of plugins are not those of their packages. */
function hintFor(name: string, plugins: ReadonlyMap<string, Plugin>): string {
  const withoutPackage = name.replace(/^(?:@[^/]+\/)?(?:octavo-)?(?:plugin-)?/, '')
  return plugins.has(withoutPackage)
    ? `; did you mean "${withoutPackage}"?`
    : didYouMean(name, plugins.keys())
}

/** For each plugin the names of the plugins before it, among those installed. */
function predecessors(
  plugins: readonly Plugin[],
  byName: ReadonlyMap<string, Plugin>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const behind = new Map<string, Set<string>>(plugins.map((plugin) => [plugin.name, new Set()]))
  for (const plugin of plugins) {
    for (const name of plugin.requires ?? []) {
      if (!byName.has(name)) {
        throw new PluginError(
          plugin.name,
          undefined,
          `"${plugin.name}" requires the plugin "${name}", which is not in the list${hintFor(name, byName)}`,
        )
      }
    }
    for (const name of [...(plugin.after ?? []), ...(plugin.requires ?? [])]) {
      if (byName.has(name)) behind.get(plugin.name)?.add(name)
    }
    for (const name of plugin.before ?? []) behind.get(name)?.add(plugin.name)
  }
  return behind
}
