import type { ContentType } from '@octavo/core/plugin'
import type { ApiDescription, ApiOperation, ApiSchemas } from '@octavo/server'

/**
 * The description of the parameter `publicationState` and of the actions.
 * @param isDraftable Whether entries of a type can be drafts.
 * @param hasActions Whether a type has the actions.
 */
export const describeDrafts = (
  schemas: ApiSchemas,
  isDraftable: (type: ContentType) => boolean,
  hasActions: (type: ContentType) => boolean,
): ApiDescription => ({
  parameters: () =>
    [...schemas.registry.contentTypes.values()].some(isDraftable)
      ? [
          {
            name: 'publicationState',
            description:
              '`live`: published entries; `preview`: drafts as well, at every level. Default `live`.',
            schema: { enum: ['live', 'preview'] },
          },
        ]
      : [],
  operations: Object.fromEntries(
    [...schemas.registry.contentTypes.values()].filter(hasActions).flatMap((type) => [
      [`POST /${type.pluralName}/:id/actions/publish`, action(type, 'publish', schemas)],
      [`POST /${type.pluralName}/:id/actions/unpublish`, action(type, 'unpublish', schemas)],
    ]),
  ),
})

const action = (
  { uid, displayName, singularName }: ContentType,
  name: 'publish' | 'unpublish',
  schemas: ApiSchemas,
): ApiOperation => ({
  id: `${name}-${singularName}`,
  tag: displayName,
  summary:
    name === 'publish' ? `Publish an entry of ${displayName}` : `Make an entry of ${displayName} a draft`,
  responses: { 200: { description: 'The entry.', schema: schemas.response(uid) } },
})
