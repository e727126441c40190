import { isObject } from '@octavo/core/internal'
import type { Schema } from '../records.ts'

type Options = Pick<Schema, 'modelType'> & { readonly options?: unknown; readonly pluginOptions?: unknown }

/** Whether entries may be drafts. */
export const hasDrafts = ({ options }: Pick<Options, 'options'>): boolean =>
  isObject(options) && options.draftAndPublish === true

const isLocalized = ({ pluginOptions }: Options): boolean =>
  isObject(pluginOptions) && isObject(pluginOptions.i18n) && pluginOptions.i18n.localized === true

/** Names that Strapi and Octavo give to no other attribute. */
export const reserved: readonly string[] = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy']

const ofReviews = ['strapi_stage', 'strapi_assignee', 'strapi_reviewWorkflows_stage']

/**
 * Attributes that Strapi appends to a schema, and that plugins or core add here. A project may use the names of those that its type does not
 * have: `locale` in a component, `publishedAt` in a type without drafts.
 */
export const automaticAttributes = (schema: Options): ReadonlySet<string> =>
  new Set(
    schema.modelType === 'component'
      ? []
      : [
          ...reserved,
          ...ofReviews,
          ...(hasDrafts(schema) ? ['publishedAt'] : []),
          ...(isLocalized(schema) ? ['locale', 'localizations'] : []),
        ],
  )
