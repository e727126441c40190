import type { Octavo } from '@octavo/core'

/**
 * Warns of content-types with `options.draftAndPublish` on a server without a plugin that keeps drafts, which adds the attribute
 * `publishedAt`: a program may have forgotten to list it.
 */
export function warnOfAbsentDrafts({ registry, logger }: Octavo): void {
  const types = [...registry.contentTypes.values()]
    .filter(
      ({ definition, attributes }) =>
        definition.options?.draftAndPublish === true && !attributes.has('publishedAt'),
    )
    .map(({ uid }) => uid)
  if (types.length > 0)
    logger.warn(
      { types },
      'options.draftAndPublish has no effect without a plugin that keeps drafts: every entry is public',
    )
}
