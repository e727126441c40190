import type { Model, Registry } from '@octavo/core'

/** `api::blog-post.blog-post` → `BlogPost`, `shared.seo` → `SharedSeoComponent`. */
export type ModelNames = ReadonlyMap<string, string>

/** Beginnings of schemas that exist in every description. */
const reserved: readonly string[] = ['Error', 'Pagination', 'Relation', 'Count', 'Populate', 'Filter']

/** A name for the schemas of each model. No two models have the same one. */
export function modelNames({ contentTypes, components }: Registry): ModelNames {
  const names = new Map<string, string>()
  const taken = new Set(reserved)
  // Content-types of the program first: they keep the plain name where a plugin has a type of the same name.
  const types = [...contentTypes.values()].sort(
    (a, b) => Number(b.uid.startsWith('api::')) - Number(a.uid.startsWith('api::')),
  )
  for (const model of [...types, ...components.values()]) {
    const name = firstFree(candidates(model), taken)
    taken.add(name)
    names.set(model.uid, name)
  }
  return names
}

function candidates(model: Model): readonly string[] {
  if (model.kind === 'component') return [`${pascal(model.category)}${pascal(model.name)}Component`]
  return [pascal(model.singularName), pascal(model.uid)]
}

/** The first name that is not taken, or the last one with a number. */
export function firstFree(names: readonly string[], taken: ReadonlySet<string>): string {
  const free = names.find((name) => !taken.has(name))
  if (free !== undefined) return free
  const last = names.at(-1) ?? ''
  let number = 2
  while (taken.has(`${last}${number}`)) number += 1
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
