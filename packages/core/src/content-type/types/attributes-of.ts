/** Types of a definition's attributes, by their use in a query. */
import type { ComponentDefinition, ContentTypeDefinition } from '../definition/definition.ts'
import type { AddedAttributes, AttributeValues } from './values.ts'

export type Definition = ContentTypeDefinition | ComponentDefinition

/** Definitions by uid, so that relations and components have the type of their target: `{ 'shared.seo': typeof seo }`. */
export type DefinitionsByUid = Readonly<Record<string, Definition>>

/**
 * Flattens an intersection to one object type, for editors and for the declarations that compilers emit. The result of a conditional
 * type has no alias, so they show the members and do not name `Flat`, which programs cannot import.
 */
export type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never

export type UidOf<D> = D extends { readonly uid: infer U extends string }
  ? U
  : D extends { readonly info: { readonly singularName: infer N extends string } }
    ? string extends N
      ? string
      : `api::${N}.${N}`
    : never

/** Whether a definition has no specific type. */
export type IsUnknown<D> = ContentTypeDefinition extends D
  ? true
  : ComponentDefinition extends D
    ? true
    : false

type IsContentType<D> = D extends { readonly info: { readonly singularName: string } } ? true : false

/** A definition's attributes, including the added ones of a content-type. */
export type Attributes<D extends Definition> =
  IsContentType<D> extends true
    ? Flat<
        D['attributes'] & {
          readonly [K in keyof AddedAttributes<D> as [AddedAttributes<D>[K]] extends [never]
            ? never
            : K]: AddedAttributes<D>[K]
        }
      >
    : D['attributes']

export type MorphTo = { readonly type: 'relation'; readonly relation: 'morphToOne' | 'morphToMany' }

export type ToMany = `${string}ToMany` | 'morphMany'

type Hidden = { readonly private: true } | { readonly type: 'password' } | MorphTo

type AttributeKeys<A, Where extends 'value' | 'populated'> = {
  [K in keyof A]: A[K] extends Hidden
    ? never
    : A[K] extends { readonly type: keyof AttributeValues }
      ? Where extends 'value'
        ? K
        : never
      : Where extends 'populated'
        ? K
        : never
}[keyof A] &
  string

/** The names in `options.privateAttributes`; none where only the type of the list is known, which would hide all attributes. */
type PrivateName<D> = D extends {
  readonly options: { readonly privateAttributes: readonly (infer Name)[] }
}
  ? string extends Name
    ? never
    : Name
  : never

/** Names of scalar attributes: the valid names in `fields`. */
export type ValueName<D extends Definition> = Exclude<AttributeKeys<Attributes<D>, 'value'>, PrivateName<D>>

/** Names of attributes that can be populated. */
export type PopulatedName<D extends Definition> = Exclude<
  AttributeKeys<Attributes<D>, 'populated'>,
  PrivateName<D>
>

export type AttributeOf<D extends Definition, K> = K extends keyof Attributes<D> ? Attributes<D>[K] : never

/** The target definition of a relation; `ContentTypeDefinition` when the model does not have it. */
export type TargetOf<M, A> = A extends { readonly target: infer U extends keyof M }
  ? M[U] extends Definition
    ? M[U]
    : never
  : ContentTypeDefinition

/** A component of the model by its uid; `ComponentDefinition` when the model does not have it. */
export type ComponentOfUid<M, Uid> = Uid extends keyof M
  ? M[Uid] extends Definition
    ? M[Uid]
    : never
  : ComponentDefinition

/** A value in JSON, without null. */
export type Value<A> = A extends { readonly type: 'enumeration'; readonly enum: readonly (infer V)[] }
  ? V
  : A extends { readonly type: infer T extends keyof AttributeValues }
    ? AttributeValues[T]
    : unknown

/** A value in a response: nullable unless required. */
export type Answered<A> = A extends { readonly required: true } ? Value<A> : Value<A> | null
