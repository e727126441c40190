import type { Mistake, Where } from '@octavo/core'
import { didYouMean, isObject } from '@octavo/core/internal'
import type { Model, Registry } from '@octavo/core/plugin'
import { fileUid } from '../content-types.ts'
import type { EditorRights } from './narrow.ts'
import { type ContentRight, contentActions, generalActions, type Right, type RightAction } from './right.ts'

const general: ReadonlySet<unknown> = new Set(generalActions)

/**
 * Reads the rights of a role. A limit that would not be enforced is a mistake.
 * @returns the rights, or the mistakes, whose paths begin with `rights`
 */
export function readRights(
  given: unknown,
  registry: Registry,
  rights: EditorRights,
): { readonly rights: readonly Right[]; readonly mistakes: readonly Mistake[] } {
  if (!Array.isArray(given)) return { rights: [], mistakes: [mistakeAt([], 'rights must be a list')] }
  const mistakes: Mistake[] = []
  const read = given.flatMap((item, i): readonly Right[] => {
    const found = readRight(item, registry, rights)
    if (typeof found !== 'string') return [found]
    mistakes.push(mistakeAt([String(i)], `rights[${i}] ${found}`))
    return []
  })
  return { rights: read, mistakes }
}

const mistakeAt = (path: readonly string[], message: string): Mistake => ({
  path: ['rights', ...path],
  message,
  name: 'ValidationError',
})

/** A right, or what is wrong with it. */
export function readRight(item: unknown, registry: Registry, rights: EditorRights): Right | string {
  if (!isObject(item)) return 'must be an object'
  const unknown = Object.keys(item).find((key) => !known.has(key))
  if (unknown !== undefined) return `has an unknown key "${unknown}"`
  const { action, type } = item
  if (general.has(action)) {
    if (Object.keys(item).length > 1) return `"${String(action)}" takes no limits`
    return { action } as Right // one of these
  }
  if (!contentActions.includes(action as RightAction))
    return `must have an action: ${[...contentActions, ...general].join(', ')}`
  const model = typeof type === 'string' ? registry.contentTypes.get(type) : undefined
  if (!model || !(model.uid.startsWith('api::') || model.uid === fileUid))
    return `names the content-type "${String(type)}", which does not exist${didYouMean(String(type), registry.contentTypes.keys())}`
  return readContentRight(item, action as RightAction, model, registry, rights)
}

const known: ReadonlySet<string> = new Set(['action', 'type', 'fields', 'locales', 'where'])

function readContentRight(
  { fields, locales, where }: Readonly<Record<string, unknown>>,
  action: RightAction,
  model: Model,
  registry: Registry,
  rights: EditorRights,
): Right | string {
  const isFile = model.uid === fileUid
  if (action === 'publish' && !model.attributes.has('publishedAt')) return 'publishes a type without drafts'
  if (fields !== undefined) {
    if (isFile || action === 'delete' || action === 'publish') return `${action} takes no fields here`
    if (!isTexts(fields)) return 'must have a list of names in fields'
    const missing = fields.find((path) => !hasField(model, path.split('.'), registry))
    if (missing !== undefined) return `names the field "${missing}", which ${model.uid} does not have`
  }
  if (locales !== undefined) {
    if (!isTexts(locales)) return 'must have a list of codes in locales'
    if (!model.attributes.has('locale')) return `${model.uid} has no locales`
  }
  if (where !== undefined && !isObject(where)) return 'must have an object in where'
  const right: ContentRight = {
    action,
    type: model.uid,
    ...(fields !== undefined && { fields: fields as readonly string[] }),
    ...(locales !== undefined && { locales: locales as readonly string[] }),
    ...(where !== undefined && { where: where as Where }),
  }
  try {
    rights.condition(withRoles(right), model)
  } catch (error) {
    return `has a mistake in where: ${(error as Error).message}`
  }
  return right
}

/** The roles of an editor are known when a request runs; any id takes their place in a check. */
const withRoles = (right: ContentRight): ContentRight =>
  right.where === undefined
    ? right
    : {
        ...right,
        where: JSON.parse(JSON.stringify(right.where).replaceAll('"$editor.roles"', '{"id":{"$in":[1]}}')),
      }

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** Whether a model has the attribute of a path: `seo.metaTitle`. Dynamic zones are fields as a whole. */
export function hasField(model: Model, [name = '', ...rest]: readonly string[], registry: Registry): boolean {
  const attribute = model.attributes.get(name)
  if (!attribute) return rest.length === 0 && model.morphs.has(name)
  if (rest.length === 0) return true
  return attribute.kind === 'component' && hasField(registry.component(attribute.component), rest, registry)
}
