import type { ContentType } from '@octavo/core/plugin'
import type { ApiDescription, ApiOperation, ApiParameter, ApiSchemas } from '@octavo/server'
import { localeUid, localizedParts } from './content-type.ts'
import { localizationRoute } from './localize.ts'

const parameters: readonly ApiParameter[] = [
  {
    name: 'locale',
    description: 'A code, or `all`. Default: the default locale.',
    schema: { type: 'string' },
  },
  {
    name: 'fallback',
    description: 'Whether entries of the default locale are returned where there is none in `locale`.',
    schema: { type: 'boolean' },
  },
  {
    name: 'meta',
    description: '`availableLocales` adds the other locales of each entry.',
    schema: { enum: ['availableLocales'] },
  },
]

/** The description of locales: the parameters of localized types, the list of locales, and localizations. */
export const describeLocales = (schemas: ApiSchemas): ApiDescription => ({
  tags: { Locales: 'The languages of the content.' },
  parameters: (type) => (localizedParts(type) ? parameters : []),
  // With `locale=all`.
  lists: (type) => localizedParts(type) !== undefined,
  operations: {
    'GET /i18n/locales': {
      id: 'findLocales',
      tag: 'Locales',
      summary: 'List all locales',
      responses: {
        200: { description: 'The locales.', schema: { type: 'array', items: schemas.flat(localeUid) } },
      },
    },
    ...Object.fromEntries(
      [...schemas.registry.contentTypes.values()]
        .filter(({ uid }) => uid.startsWith('api::'))
        .map((type) => [
          `POST ${localizationRoute(type)}`,
          // The route of other types only refuses.
          localizedParts(type) ? localization(type, schemas) : false,
        ]),
    ),
  },
})

const localization = (
  { uid, displayName, singularName }: ContentType,
  schemas: ApiSchemas,
): ApiOperation => ({
  id: `localize-${singularName}`,
  tag: displayName,
  summary: `Create a localization of an entry of ${displayName}`,
  description:
    'The attributes are not in `data`. The new entry is a draft unless the body has `publishedAt`.',
  body: {
    content: {
      'application/json': {
        schema: {
          allOf: [
            schemas.input(uid, 'update'),
            { type: 'object', required: ['locale'], properties: { locale: { type: 'string' } } },
          ],
        },
      },
    },
  },
  responses: { 200: { description: 'The new entry.', schema: schemas.flat(uid) } },
})
