/** The model of a program as a type: all its definitions, by uid. */

import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition/definition.ts'
import type { UidOf } from '../content-type/types/attributes-of.ts'

/** Content-types as an option: a list, or an object with any keys. */
export type ContentTypeList =
  | readonly ContentTypeDefinition[]
  | Readonly<Record<string, ContentTypeDefinition>>
export type ComponentList = readonly ComponentDefinition[] | Readonly<Record<string, ComponentDefinition>>

type Indexes<T> = T extends readonly unknown[] ? keyof T & `${number}` : keyof T

/** A list without the types of its elements has no known definitions. */
type ByUid<T> = {
  readonly [K in Indexes<T> as string extends UidOf<T[K]> ? never : UidOf<T[K]>]: T[K]
}

/** The definitions of a list or an object of content-types, and of one of components, by their uid. */
export type ModelOf<T, C> = ByUid<T> & ByUid<C>

type SingularName<D> = D extends { readonly info: { readonly singularName: infer N } } ? N : never

/** The content-types of plugins have uids only, since a project may use their singular names. */
type ShortName<U, D> = U extends `plugin::${string}` ? never : SingularName<D>

/** The uids and the singular names of a model's content-types. */
export type TypeName<M> = {
  [U in keyof M]: SingularName<M[U]> extends never ? never : U | ShortName<U, M[U]>
}[keyof M] &
  string

/** The content-type of a uid or a singular name. */
export type TypeNamed<M, N> = N extends keyof M
  ? M[N]
  : {
      [U in keyof M]: ShortName<U, M[U]> extends N ? (N extends ShortName<U, M[U]> ? M[U] : never) : never
    }[keyof M]

/** The definitions of a list or an object. */
export const definitionsOf = <D>(given: readonly D[] | Readonly<Record<string, D>> = []): readonly D[] =>
  Array.isArray(given) ? given : Object.values(given)
