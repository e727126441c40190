import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition/definition.ts'
import type { Definitions } from '../hooks/definition-hooks.ts'
import type { HookRunner } from '../hooks/hook-runner.ts'
import { isObject } from '../kinds-of-values.ts'
import { PluginError } from '../plugin/plugin-error.ts'

const hook = 'attribute:computed'

/**
 * The definitions with the attributes that plugins add in `attribute:computed`.
 * @throws PluginError for a name that is taken, and for an attribute that is not computed
 */
export function withComputedAttributes(definitions: Definitions, hooks: HookRunner): Definitions {
  if (!hooks.has(hook)) return definitions
  const extended = <D extends ContentTypeDefinition | ComponentDefinition>(definition: D): D => {
    const added: Record<string, unknown> = {}
    for (const { plugin, answer } of hooks.collectByPlugin(hook, definition)) {
      for (const [name, attribute] of Object.entries(answer)) {
        const place = `${nameOf(definition)}.${name}`
        if (Object.hasOwn(definition.attributes, name) || Object.hasOwn(added, name))
          throw new PluginError(
            plugin,
            hook,
            `${place} exists already; give the computed attribute another name`,
          )
        if (!isObject(attribute) || !isObject(attribute.computed))
          throw new PluginError(plugin, hook, `${place} has no "computed", which computed() makes`)
        added[name] = { ...attribute, computed: { ...attribute.computed, plugin } }
      }
    }
    return { ...definition, attributes: { ...definition.attributes, ...added } }
  }
  return {
    contentTypes: definitions.contentTypes.map(extended),
    components: definitions.components.map(extended),
  }
}

const nameOf = (definition: ContentTypeDefinition | ComponentDefinition): string =>
  definition.uid ?? (definition as ContentTypeDefinition).info.singularName // components have a uid
