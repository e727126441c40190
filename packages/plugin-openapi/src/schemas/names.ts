import type { Model, Registry } from '@octavo/core/plugin'
import { sharedSchemas } from './shared.ts'

/** `api::blog-post.blog-post` → `BlogPost`, `shared.seo` → `SharedSeoComponent`. */
export type ModelNames = ReadonlyMap<string, string>

/** Schemas that do not belong to a model. */
const reserved: readonly string[] = [
  ...Object.keys(sharedSchemas),
  ...['String', 'Number', 'Boolean'].map((operand) => `${operand}Operators`),
]

/** Endings of the names of a model's schemas; the schema without envelopes has none. */
const endings = [
  ...['', 'Entry', 'Attributes', 'Response', 'ListResponse', 'Create', 'Update', 'Filters'],
  ...['Item', 'Input', 'ItemInput'],
]

/** A name for the schemas of each model. No two schemas have the same one: `Menu` with the ending `Entry` would be that of `menu-entry`. */
export function modelNames({ contentTypes, components }: Registry): ModelNames {
  const names = new Map<string, string>()
  const used = new Set(reserved)
  // Content-types of the program first: they keep the plain name where a plugin has a type of the same name.
  const types = [...contentTypes.values()].sort(
    (a, b) => Number(b.uid.startsWith('api::')) - Number(a.uid.startsWith('api::')),
  )
  for (const model of [...types, ...components.values()]) {
    const isFree = (name: string): boolean => endings.every((ending) => !used.has(name + ending))
    const name = firstFree(candidates(model), isFree)
    for (const ending of endings) used.add(name + ending)
    names.set(model.uid, name)
  }
  return names
}

function candidates(model: Model): readonly string[] {
  if (model.kind === 'component') return [`${pascal(model.category)}${pascal(model.name)}Component`]
  return [pascal(model.singularName), pascal(model.uid)]
}

/** The first name that is free, or the last one with a number. */
export function firstFree(names: readonly string[], isFree: (name: string) => boolean): string {
  const free = names.find(isFree)
  if (free !== undefined) return free
  const last = names.at(-1) ?? ''
  let number = 2
  while (!isFree(`${last}${number}`)) number += 1
  return `${last}${number}`
}

/** `publish-article` → `publishArticle`. */
export const camel = (text: string): string => {
  const name = pascal(text)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** `blog-post`, `blog_post` → `BlogPost`. */
export const pascal = (text: string): string =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
