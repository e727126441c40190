import type { AttributeDefinition, ContentTypeDefinition } from '@octavo/core'
import type {
  Attribute,
  ContentType,
  Definitions,
  Model,
  RelationAttribute,
  ScalarAttribute,
  SiblingsType,
} from '@octavo/core/plugin'
import { isMarked, markOf } from './marks.ts'

export const localeUid = 'plugin::i18n.locale'
export const localeTable = 'i18n_locale'

/** The content-type of locales. */
export const localeType: ContentTypeDefinition = {
  kind: 'collectionType',
  uid: localeUid,
  collectionName: localeTable,
  info: { singularName: 'locale', pluralName: 'locales', displayName: 'Locale' },
  attributes: {
    name: { type: 'string' },
    code: { type: 'string', required: true, unique: true },
    isDefault: { type: 'boolean', default: false },
  },
}

/** The localizations of an entry share a group key. */
export const localizationsType: SiblingsType = {
  kind: 'siblings',
  name: 'localizations',
  column: 'localization_group',
  distinct: 'locale',
}

/**
 * Adds `locale` and `localizations` to localized types; their unique values are unique within a locale.
 * @param defaultLocale The locale of imported entries without one.
 */
export const withLocales = (definitions: Definitions, defaultLocale: () => string): Definitions => ({
  ...definitions,
  contentTypes: definitions.contentTypes.map((type) =>
    isMarked(type.pluginOptions) ? localized(type, defaultLocale) : type,
  ),
})

const localized = (type: ContentTypeDefinition, defaultLocale: () => string): ContentTypeDefinition => {
  const attributes = Object.entries(type.attributes).map(
    ([name, attribute]): [string, AttributeDefinition] => [
      name,
      attribute.unique === true || attribute.type === 'uid'
        ? { ...attribute, uniqueWithin: withinLocale(attribute.uniqueWithin) }
        : attribute,
    ],
  )
  return {
    ...type,
    attributes: {
      ...Object.fromEntries(attributes),
      locale: { type: 'string', countedBy: 'value', searchable: false, default: defaultLocale },
      localizations: { type: localizationsType.name },
    },
  }
}

/** The scope of a unique value, with the locale. A scope that is no list stays as it is, for the registry to refuse. */
const withinLocale = (given: readonly string[] | null = []): readonly string[] =>
  given === null || Array.isArray(given) ? [...new Set([...(given ?? []), 'locale'])] : given

/** The attributes that this plugin adds to a type, and the attributes that all locales share. */
export interface Localized {
  readonly locale: ScalarAttribute
  readonly localizations: RelationAttribute
  readonly shared: readonly string[]
  /** Shared attributes that no answer contains: passwords. */
  readonly sharedSecrets: readonly ScalarAttribute[]
}

/** Attributes that are set by the server, or cannot be shared between locales. */
const ownOfEach = new Set(['locale', 'localizations', 'createdAt', 'updatedAt', 'publishedAt'])

/** `undefined` for a model that is not localized. */
export function localizedParts(model: Model): Localized | undefined {
  if (model.kind === 'component' || !isMarked(model.pluginOptions)) return undefined
  const locale = model.attributes.get('locale')
  const localizations = model.attributes.get('localizations')
  if (locale?.kind !== 'scalar' || localizations?.kind !== 'relation') return undefined
  const common = commonOf(model)
  const sharedSecrets = common.filter((attribute) => attribute.kind === 'scalar').filter(isSecret)
  const shared = common.filter((attribute) => attribute.kind !== 'scalar' || !isSecret(attribute))
  return { locale, localizations, shared: shared.map(({ name }) => name), sharedSecrets }
}

const isSecret = ({ type }: ScalarAttribute): boolean => type.secret

/**
 * Attributes that are not localized. A target that can have one owner only cannot be shared, and hidden attributes, such as the creators
 * that another plugin adds, belong to each entry.
 */
const commonOf = (type: ContentType): readonly Attribute[] =>
  [...type.attributes.values()].filter(
    (attribute) =>
      attribute.kind !== 'computed' &&
      !ownOfEach.has(attribute.name) &&
      attribute.definition.visible !== false &&
      !isOfEach(attribute) &&
      !(attribute.kind === 'relation' && attribute.exclusive),
  )

/**
 * Whether each localization has its own value. Relations and `uid` attributes are localized unless they are marked with `false`, since
 * projects of the reference server cannot mark them, and there each localization has its own. Files are shared like values.
 */
function isOfEach({ definition: { type, pluginOptions } }: Attribute): boolean {
  return type === 'relation' || type === 'uid' ? markOf(pluginOptions) !== false : isMarked(pluginOptions)
}
