/** Marks in definitions that have no effect: entries would silently be in one language, or an attribute be the same in all. */
import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition } from '@octavo/core'
import { didYouMean, isObject, sourceOf } from '@octavo/core/internal'
import type { Definitions } from '@octavo/core/plugin'

type PluginOptions = AttributeDefinition['pluginOptions']

/** Reports a sentence about a place in a definition. */
type Report = (path: string, sentence: string) => void

export const isMarked = (pluginOptions: PluginOptions): boolean => markOf(pluginOptions) === true

/** The mark of a model or an attribute: `true`, `false`, or `undefined` without one. */
export const markOf = (pluginOptions: PluginOptions): unknown =>
  isObject(pluginOptions?.i18n) ? pluginOptions.i18n.localized : undefined

/** A sentence for each mark without an effect, with its place. */
export function marksWithoutEffect({ contentTypes, components }: Definitions): readonly string[] {
  const sentences: string[] = []
  const reportOf =
    (definition: ContentTypeDefinition | ComponentDefinition, name: string): Report =>
    (path, sentence) =>
      void sentences.push(`${sourceOf(definition) ?? name}: ${path}: ${sentence}`)
  for (const type of contentTypes) {
    const report = reportOf(type, type.uid ?? type.info.singularName)
    checkMarks(type, report)
    if (isMarked(type.pluginOptions)) checkOwn(type, report)
    else checkUnmarked(type, report)
  }
  for (const component of components) checkMarks(component, reportOf(component, component.uid))
  return sentences
}

function checkMarks(definition: ContentTypeDefinition | ComponentDefinition, report: Report): void {
  checkMark(definition.pluginOptions, 'pluginOptions', report)
  for (const [name, { pluginOptions }] of Object.entries(definition.attributes))
    checkMark(pluginOptions, `attributes.${name}.pluginOptions`, report)
}

function checkMark(pluginOptions: unknown, path: string, report: Report): void {
  if (!isObject(pluginOptions)) return
  if (pluginOptions.localized !== undefined)
    report(`${path}.localized`, `has no effect here; it is written { "i18n": { "localized": true } }`)
  const { i18n } = pluginOptions
  if (i18n === undefined || i18n === null) return
  if (!isObject(i18n)) {
    report(`${path}.i18n`, `must be { "localized": true }; ${JSON.stringify(i18n)} is ignored`)
    return
  }
  for (const [key, value] of Object.entries(i18n)) {
    const at = `${path}.i18n.${key}`
    if (key !== 'localized') report(at, `there is no such key${didYouMean(key, ['localized'])}`)
    else if (typeof value !== 'boolean' && value !== null && value !== undefined)
      report(at, `must be true or false; ${JSON.stringify(value)} is ignored`)
  }
}

/** Attributes are marked, and the content-type is not. */
function checkUnmarked({ attributes }: ContentTypeDefinition, report: Report): void {
  for (const [name, { pluginOptions }] of Object.entries(attributes))
    if (isMarked(pluginOptions))
      report(
        `attributes.${name}.pluginOptions.i18n.localized`,
        'has no effect, since the content-type itself has no { "pluginOptions": { "i18n": { "localized": true } } }',
      )
}

/** The reference's own attributes, which its exports contain, are not visible. */
function checkOwn({ attributes }: ContentTypeDefinition, report: Report): void {
  for (const name of ownAttributes)
    if (Object.hasOwn(attributes, name) && attributes[name]?.visible !== false)
      report(
        `attributes.${name}`,
        'is replaced by the attribute of this name that each localized content-type has; rename it',
      )
}

const ownAttributes = ['locale', 'localizations']
