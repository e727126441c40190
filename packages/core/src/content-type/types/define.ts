/** Definitions in TypeScript, with completion and type checks. */

import type { ContentTypeDefinition, ModelOptions } from '../definition/definition.ts'
import type { CheckedAttributes, DoesNotExist, TypedAttribute } from './attribute-options.ts'

/** A content-type in TypeScript; `ContentTypeDefinition` is the content of a `schema.json`. */
export interface TypedContentType extends Pick<ContentTypeDefinition, 'kind'> {
  /** Default `api::<singularName>.<singularName>`. */
  readonly uid?: string
  /** The table's name. Default: the plural name in snake_case. */
  readonly collectionName?: string
  readonly info: {
    readonly singularName: string
    readonly pluralName: string
    readonly displayName?: string
    readonly description?: string
    readonly icon?: string
  }
  readonly options?: ModelOptions
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, TypedAttribute>>
}

/** A component in TypeScript. */
export interface TypedComponent {
  /** `category.name` */
  readonly uid: string
  /** The table's name. Default `components_<category>_<name>`. */
  readonly collectionName?: string
  readonly info?: Readonly<Record<string, unknown>>
  readonly options?: ModelOptions
  readonly attributes: Readonly<Record<string, TypedAttribute>>
}

/** Rejects unknown keys of `Form`, and unknown options of attributes. */
type Checked<D extends { readonly attributes: unknown }, Form> = {
  readonly [K in Exclude<keyof D, keyof Form>]: DoesNotExist<`A definition has no key "${K & string}"`>
} & { readonly attributes: CheckedAttributes<D['attributes']> }

/**
 * Defines a content-type. Returns its argument, typed; the definition is validated when the server starts.
 *
 *     const article = defineContentType({
 *       kind: 'collectionType',
 *       info: { singularName: 'article', pluralName: 'articles' },
 *       attributes: {
 *         title: { type: 'string', required: true },
 *         status: { type: 'enumeration', enum: ['news', 'review'] },
 *       },
 *     })
 *     type Article = EntryOf<typeof article>
 *     // { id: number; attributes: { title: string; status: 'news' | 'review' | null; createdAt: string; updatedAt: string } }
 */
export const defineContentType = <const D extends TypedContentType>(
  definition: D & Checked<D, TypedContentType>,
): D => definition

/** Defines a component, like {@link defineContentType}. Its `uid` is `category.name`. */
export const defineComponent = <const D extends TypedComponent>(
  definition: D & Checked<D, TypedComponent>,
): D => definition
