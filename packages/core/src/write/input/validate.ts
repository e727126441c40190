import type { Bindable } from '../../content-type/attribute-type.ts'
import type { AttributeDefinition } from '../../content-type/definition/definition.ts'
import type {
  ComponentAttribute,
  Model,
  Registry,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../../content-type/model.ts'
import type { EntryInput } from '../../content-type/types/entry-input.ts'
import { isObject } from '../../kinds-of-values.ts'
import type { InputMistakes } from './mistakes.ts'
import { readMorph } from './morph-input.ts'
import { InvalidRelation, idOf, readRelation } from './relation-input.ts'
import { readScalar } from './scalar-input.ts'
import type {
  BodyPath,
  ComponentWrite,
  KeptParts,
  MorphWrite,
  RelationWrite,
  RowWrite,
} from './write-plan.ts'

export interface RowOptions {
  readonly registry: Registry
  /** Required attributes and minimum lengths are not enforced: a draft. */
  readonly lenient: boolean
  /** Whether the row around is created: ids of components are then ignored, as they may be those of a copied entry. */
  readonly isCreate: boolean
  readonly mistakes: InputMistakes
  /** Called with each part of the input, to find names that no attribute has. Default: they are ignored. */
  readonly look?: ((model: Model, input: EntryInput, at: BodyPath) => void) | undefined
}

/** Attributes that the server sets; values in a body are ignored. */
export const ignoredNames: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt'])

/**
 * Reads the row of an entry, or of a component in it, with those below it. Pure: checks that need the database (unique
 * values, existing ids) run later. Mistakes are added to `options.mistakes`; the result is valid only without mistakes.
 *
 * @param id The row to update; `undefined` for a new one, which gets defaults and must be complete.
 */
export function readRow(
  model: Model,
  id: number | undefined,
  input: EntryInput,
  at: BodyPath,
  options: RowOptions,
): RowWrite {
  options.look?.(model, input, at)
  const values = new Map<ScalarAttribute, Bindable>()
  const relations: RelationWrite[] = []
  const components: ComponentWrite[] = []
  const kept: KeptParts[] = []
  const isNew = id === undefined
  for (const attribute of model.attributes.values()) {
    if (ignoredNames.has(attribute.name) || attribute.kind === 'computed') continue
    const given = Object.hasOwn(input, attribute.name) ? input[attribute.name] : undefined
    const value = given === undefined && isNew ? defaultOf(attribute.definition) : given
    if (value === undefined) {
      if (isNew && attribute.definition.required === true && !options.lenient)
        options.mistakes.add([...at, attribute.name], '{at} must be defined.')
      continue
    }
    const here = [...at, attribute.name]
    switch (attribute.kind) {
      case 'scalar': {
        const read = readScalar(attribute, value, here, options, isNew ? undefined : kept)
        if (read !== undefined) values.set(attribute, read)
        break
      }
      case 'relation': {
        const relation = readRelationAt(attribute, value, here, options)
        if (relation) relations.push(relation)
        break
      }
      case 'component':
      case 'zone': {
        const items = readParts(attribute, value, here, options)
        if (items) components.push({ attribute, items, at: here })
        break
      }
    }
  }
  const morphs = [...model.morphs.values()].flatMap((attribute): readonly MorphWrite[] => {
    const value = Object.hasOwn(input, attribute.name) ? input[attribute.name] : undefined
    if (value === undefined) return []
    const here = [...at, attribute.name]
    const change = unlessInvalid(() => readMorph(value, attribute, options.registry), here, options.mistakes)
    return change ? [{ attribute, change, at: here }] : []
  })
  return { model, id, values, relations, components, morphs, ...(kept.length > 0 && { kept }), at }
}

/** The change of a relation; an invalid one is a mistake. */
function unlessInvalid<T>(read: () => T, at: BodyPath, mistakes: InputMistakes): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidRelation)) throw error
    mistakes.add(at, `{at} ${error.message}`)
    return undefined
  }
}

/** The default of an attribute; a function is called for each entry. */
export const defaultOf = ({ default: given }: AttributeDefinition): unknown =>
  typeof given === 'function' ? given() : given

function readRelationAt(
  attribute: RelationAttribute,
  value: unknown,
  at: BodyPath,
  { lenient, mistakes }: RowOptions,
): RelationWrite | undefined {
  if (attribute.storage.kind === 'siblings') return undefined
  const change = unlessInvalid(() => readRelation(value, attribute), at, mistakes)
  if (!change) return undefined
  const isRequired = attribute.definition.required === true && !lenient
  if (isRequired && change.kind === 'set' && change.ids.length === 0)
    mistakes.add(at, '{at} needs at least one entry.')
  return { attribute, change, at }
}

/** The components of an attribute; `undefined` for a value of another form, which is a mistake. */
function readParts(
  attribute: ComponentAttribute | ZoneAttribute,
  value: unknown,
  at: BodyPath,
  options: RowOptions,
): readonly RowWrite[] | undefined {
  const { mistakes, registry, lenient } = options
  const { required, min, max } = attribute.definition
  const isList = attribute.kind === 'zone' || attribute.repeatable
  if (isList ? !Array.isArray(value) : value === null) {
    if (!isList && (required !== true || lenient)) return []
    mistakes.add(at, isList ? '{at} must be a list.' : '{at} may not be null.')
    return undefined
  }
  const given = (isList ? value : [value]) as readonly unknown[] // checked above
  // Forms send an empty list for empty fields.
  const isLeftEmpty = given.length === 0 && required !== true
  if (isList && typeof min === 'number' && given.length < min && !lenient && !isLeftEmpty)
    mistakes.add(at, `{at} must have at least ${min} items.`)
  if (isList && typeof max === 'number' && given.length > max)
    mistakes.add(at, `{at} must have at most ${max} items.`)
  return given.flatMap((item, i) => {
    const here = isList ? [...at, i] : at
    if (!isObject(item)) {
      mistakes.add(here, '{at} must be an object.')
      return []
    }
    const uid =
      attribute.kind === 'component' ? attribute.component : componentOf(attribute, item, here, mistakes)
    return uid === undefined ? [] : (readItem(registry.component(uid), item, here, options) ?? [])
  })
}

function componentOf(
  attribute: ZoneAttribute,
  given: EntryInput,
  at: BodyPath,
  mistakes: InputMistakes,
): string | undefined {
  const uid = given.__component
  if (typeof uid === 'string' && attribute.components.includes(uid)) return uid
  mistakes.add([...at, '__component'], `{at} must be one of ${attribute.components.join(', ')}.`)
  return undefined
}

/**
 * An item with an id changes that component in place; a later check verifies that it belongs to the entry.
 * In a create all components are new, so that posting an entry that was read creates a copy, and so are those inside a new component.
 */
function readItem(model: Model, given: EntryInput, at: BodyPath, options: RowOptions): RowWrite | undefined {
  const { id } = given
  if (id === undefined || id === null || options.isCreate)
    return readRow(model, undefined, given, at, { ...options, isCreate: true })
  const read = idOf(id)
  if (read !== undefined) return readRow(model, read, given, at, options)
  options.mistakes.add([...at, 'id'], '{at} must be the id of a component.')
  return undefined
}
