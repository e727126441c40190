import type { Octavo } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import type { ContentType } from '@octavo/core/plugin'

/** A setting of content-types that has an effect by a plugin only, which adds an attribute to them. */
interface Setting {
  readonly name: string
  readonly attribute: string
  readonly without: string
  isOn(type: ContentType): boolean
}

const settings: readonly Setting[] = [
  {
    name: 'options.draftAndPublish',
    attribute: 'publishedAt',
    without: 'no effect without @octavo/plugin-draft-publish: every entry is public',
    isOn: ({ definition }) => definition.options?.draftAndPublish === true,
  },
  {
    name: 'pluginOptions.i18n.localized',
    attribute: 'locale',
    without: 'no effect without @octavo/plugin-i18n: entries have no locales',
    isOn: ({ definition }) =>
      isObject(definition.pluginOptions?.i18n) && definition.pluginOptions.i18n.localized === true,
  },
]

/** Warns of settings that have no effect, since a program has not listed their plugin. */
export function warnOfAbsentPlugins({ registry, logger }: Octavo): void {
  for (const { name, attribute, without, isOn } of settings) {
    const types = [...registry.contentTypes.values()]
      .filter((type) => isOn(type) && !type.attributes.has(attribute))
      .map(({ uid }) => uid)
    if (types.length > 0) logger.warn({ types }, `${name} has ${without}`)
  }
}
