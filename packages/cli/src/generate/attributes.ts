import type { AttributeDefinition } from '@octavo/core'
import { didYouMean } from '@octavo/core/internal'
import { scalarTypes } from '@octavo/core/plugin'
import { UsageError } from '../usage-error.ts'

/** A content-type that a relation can lead to. */
export interface Target {
  readonly uid: string
  readonly singularName: string
}

/** Types besides the scalar ones. */
const structured = ['relation', 'media', 'component', 'dynamiczone'] as const
const flags = ['required', 'unique', 'private'] as const
const relations = ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany'] as const

/** The types of attributes that `octavo generate type` knows. */
export const attributeTypes: readonly string[] = [...scalarTypes.keys(), ...structured]

/**
 * Reads attributes of the command line.
 *
 *     title:string:required                → { "type": "string", "required": true }
 *     form:enumeration:news,review         → { "type": "enumeration", "enum": ["news", "review"] }
 *     slug:uid:title                       → { "type": "uid", "targetField": "title", "generate": true }
 *     author:relation:author               → manyToOne to api::author.author
 *     tags:relation:tag:manyToMany
 *     cover:media, pictures:media:multiple
 *     seo:component:shared.seo, parts:component:shared.part:repeatable
 *     body:dynamiczone:shared.text,shared.quote
 *
 * @throws UsageError for an unknown type, target or option, and for a name that is given twice.
 */
export function readAttributes(
  texts: readonly string[],
  targets: readonly Target[],
): Readonly<Record<string, AttributeDefinition>> {
  const attributes = new Map<string, AttributeDefinition>()
  for (const text of texts) {
    const [name = '', type, ...rest] = text.split(':')
    if (!/^[a-z][A-Za-z0-9_]*$/.test(name) || type === undefined)
      throw new UsageError(`${text}: write an attribute as name:type, e.g. title:string`)
    if (attributes.has(name)) throw new UsageError(`${text}: the attribute ${name} is given twice`)
    attributes.set(name, attribute(text, type, uidParts(type, rest), targets))
  }
  return Object.fromEntries(attributes)
}

/** The uid of a target has colons: `api::author.author`. */
function uidParts(type: string, [first = '', second, uid, ...rest]: readonly string[]): readonly string[] {
  if (type === 'relation' && second === '' && uid !== undefined) return [`${first}::${uid}`, ...rest]
  return [first, second, uid, ...rest].filter((part) => part !== undefined && part !== '') as string[] // filtered
}

function attribute(
  text: string,
  type: string,
  parts: readonly string[],
  targets: readonly Target[],
): AttributeDefinition {
  if (!attributeTypes.includes(type))
    throw new UsageError(
      `${text}: there is no type ${JSON.stringify(type)} of attributes${didYouMean(type, attributeTypes, `; there are ${attributeTypes.join(', ')}`)}`,
    )
  const given = flags.filter((flag) => parts.includes(flag))
  const set = Object.fromEntries(given.map((flag) => [flag, true]))
  const words = parts.filter((part) => !given.some((flag) => flag === part))
  const [options, used] = optionsOf(text, type, words, targets)
  const [unknown] = words.slice(used)
  if (unknown !== undefined)
    throw new UsageError(
      `${text}: unknown option ${JSON.stringify(unknown)}${didYouMean(unknown, [...flags, ...relations, 'multiple', 'repeatable'], `; there are ${flags.join(', ')}`)}`,
    )
  return { type, ...options, ...set }
}

/** The options of a type, and the number of words that they take. */
function optionsOf(
  text: string,
  type: string,
  [first, second]: readonly string[],
  targets: readonly Target[],
): readonly [object, number] {
  const needed = (example: string): string => {
    if (first !== undefined) return first
    throw new UsageError(`${text}: write ${example}`)
  }
  switch (type) {
    case 'relation': {
      const target = targetOf(text, needed('name:relation:target'), targets)
      const kind = relations.find((name) => name === second)
      return [{ relation: kind ?? 'manyToOne', target }, kind ? 2 : 1]
    }
    case 'enumeration':
      return [{ enum: needed('name:enumeration:one,two').split(',') }, 1]
    case 'uid':
      return first === undefined ? [{}, 0] : [{ targetField: first, generate: true }, 1]
    case 'media':
      return [{ multiple: first === 'multiple' }, first === 'multiple' ? 1 : 0]
    case 'component': {
      const isList = second === 'repeatable'
      return [{ component: needed('name:component:category.name'), repeatable: isList }, isList ? 2 : 1]
    }
    case 'dynamiczone':
      return [{ components: needed('name:dynamiczone:category.one,category.two').split(',') }, 1]
    default:
      return [{}, 0]
  }
}

function targetOf(text: string, name: string, targets: readonly Target[]): string {
  const found = targets.find(({ uid, singularName }) => uid === name || singularName === name)
  if (found) return found.uid
  const names = targets.map(({ uid, singularName }) => (name.includes('::') ? uid : singularName))
  throw new UsageError(
    `${text}: there is no content-type ${JSON.stringify(name)}${didYouMean(name, names, `; there are ${names.join(', ')}`)}`,
  )
}
