import { isValue } from '@octavo/core/internal'
import type {
  Attribute,
  Component,
  ContentType,
  Model,
  Registry,
  RelationAttribute,
  ValueAttribute,
} from '@octavo/core/plugin'
import type { ApiSchemas, JsonSchema } from '@octavo/server'
import {
  type ContextOptions,
  describedBy,
  isDraftable,
  type SchemaContext,
  schemaContext,
} from './context.ts'
import { isFilterable, operatorsOf } from './filters.ts'
import { InputSchemas } from './input-schemas.ts'
import { reference } from './references.ts'
import { anyObject, entryId } from './shared.ts'
import { annotationsOf, nullable } from './values.ts'

/** Attributes whose values have attributes of their own. */
type Composed = Exclude<Attribute, ValueAttribute>

/**
 * The schemas of a description, made when something refers to them first. Properties of an answer are not `required`:
 * `fields` may leave them out, and relations are in an answer only when they are populated.
 */
export class ModelSchemas implements ApiSchemas {
  readonly registry: Registry
  readonly #context: SchemaContext
  readonly #inputs: InputSchemas

  constructor(options: ContextOptions) {
    this.registry = options.registry
    this.#context = schemaContext(options)
    this.#inputs = new InputSchemas(this.#context)
  }

  /** A part of the schema of an object that has no other members, where the server refuses them. */
  get closed(): JsonSchema {
    return this.#context.strict ? { additionalProperties: false } : {}
  }

  /** The schemas that a part of the description refers to, directly or through others, by name. */
  reachableFrom(part: unknown): Readonly<Record<string, JsonSchema>> {
    return this.#context.references.reachableFrom(part)
  }

  named(name: string): JsonSchema {
    return reference(name)
  }

  entry(uid: string): JsonSchema {
    const type = this.registry.contentType(uid)
    return this.#context.references.to(`${this.#context.nameOf(type)}Entry`, () => ({
      type: 'object',
      required: ['id', 'attributes'],
      properties: {
        id: entryId,
        attributes: this.#attributes(type),
        meta: {
          type: 'object',
          properties: { availableLocales: { type: 'array', items: { type: 'string' } } },
        },
      },
    }))
  }

  response(uid: string): JsonSchema {
    const type = this.registry.contentType(uid)
    return this.#context.references.to(`${this.#context.nameOf(type)}Response`, () => ({
      type: 'object',
      required: ['data', 'meta'],
      properties: { data: this.entry(uid), meta: anyObject },
    }))
  }

  /** The answer of a list. */
  list(uid: string): JsonSchema {
    const type = this.registry.contentType(uid)
    return this.#context.references.to(`${this.#context.nameOf(type)}ListResponse`, () => ({
      type: 'object',
      required: ['data', 'meta'],
      properties: {
        data: { type: 'array', items: this.entry(uid) },
        meta: { type: 'object', properties: { pagination: reference('Pagination') } },
      },
    }))
  }

  flat(uid: string): JsonSchema {
    const type = this.registry.contentType(uid)
    return this.#context.references.to(this.#context.nameOf(type), () => ({
      type: 'object',
      required: ['id'],
      ...describedBy(type),
      properties: {
        id: entryId,
        ...this.#properties(type, (attribute) => this.#flatValue(attribute)),
        ...this.#uses(type),
      },
    }))
  }

  input(uid: string, action: 'create' | 'update', without?: ReadonlySet<string>): JsonSchema {
    return this.#inputs.of(uid, action, without)
  }

  /** `filters` of a content-type or component. */
  filters(uid: string): JsonSchema {
    const model = this.registry.model(uid)
    const name = `${this.#context.nameOf(model)}Filters`
    return this.#context.references.to(name, () => {
      const self = reference(name)
      return {
        type: 'object',
        properties: {
          ...(model.kind !== 'component' && { id: this.#operators(model.id) }),
          ...Object.fromEntries(
            this.#seen(model)
              .filter(isFilterable)
              .map((attribute) => [attribute.name, this.#filter(attribute)]),
          ),
          $and: { type: 'array', items: self },
          $or: { type: 'array', items: self },
          $not: self,
        },
      }
    })
  }

  /** The names that `fields` and `populate` accept. */
  selectable(type: ContentType): {
    readonly fields: readonly string[]
    readonly populate: readonly string[]
  } {
    const seen = this.#seen(type)
    const names = (isScalar: boolean): readonly string[] =>
      seen.filter((attribute) => isValue(attribute) === isScalar).map(({ name }) => name)
    return { fields: names(true), populate: [...names(false), ...this.#usesOf(type)] }
  }

  /** Whether the body of a create or update may have the attribute. */
  isWritable(attribute: Attribute, type: ContentType, action: 'create' | 'update'): boolean {
    return this.#context.isWritable(attribute, type, action)
  }

  #seen(model: Model): readonly Attribute[] {
    const visible = model.kind === 'component' ? undefined : this.#context.visible(model)
    return [...model.attributes.values()].filter(
      (attribute) => !attribute.private && (visible?.has(attribute.name) ?? true),
    )
  }

  #attributes(type: ContentType): JsonSchema {
    return this.#context.references.to(`${this.#context.nameOf(type)}Attributes`, () => ({
      type: 'object',
      ...describedBy(type),
      properties: { ...this.#properties(type, (attribute) => this.#value(attribute)), ...this.#uses(type) },
    }))
  }

  /** The lists of entries that use an entry, such as `related` of files. */
  #uses(type: ContentType): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(
      this.#usesOf(type).map((name) => [name, { type: 'array', items: reference('Use') }]),
    )
  }

  #usesOf(type: ContentType): readonly string[] {
    const visible = this.#context.visible(type)
    return [...type.uses.keys()].filter((name) => visible?.has(name) ?? true)
  }

  #properties(
    model: Model,
    value: (attribute: Composed) => JsonSchema,
  ): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(
      this.#seen(model).map((attribute) => [
        attribute.name,
        isValue(attribute) ? this.#scalar(attribute, model) : value(attribute),
      ]),
    )
  }

  #scalar(attribute: ValueAttribute, model: Model): JsonSchema {
    const { definition } = attribute
    const schema = {
      ...this.#context.valueOf(attribute).answer,
      ...annotationsOf(definition),
      ...(attribute.kind === 'computed' && { readOnly: true }),
    }
    // Drafts may lack required attributes.
    const isSet = definition.required === true && !isDraftable(model) && model.kind !== 'component'
    return isSet ? schema : nullable(schema)
  }

  /** The value of a relation, component or zone in an entry. */
  #value(attribute: Composed): JsonSchema {
    if (attribute.kind !== 'relation') return this.#part(attribute)
    const entry = this.entry(attribute.target)
    const none = attribute.many && attribute.empty !== 'null' ? [] : [{ type: 'null' }]
    const counted = attribute.part ? [] : [reference('Count')]
    const some = attribute.many ? [{ type: 'array', items: entry }, ...counted] : [entry]
    return {
      type: 'object',
      ...annotationsOf(attribute.definition),
      required: ['data'],
      properties: { data: { anyOf: [...some, ...none] } },
    }
  }

  /** The schema of an attribute in an entry without envelopes. */
  #flatValue(attribute: Composed): JsonSchema {
    if (attribute.kind !== 'relation') return this.#part(attribute)
    const entry = this.flat(attribute.target)
    return attribute.many
      ? { anyOf: [{ type: 'array', items: entry }, reference('FlatCount'), { type: 'null' }] }
      : nullable(entry)
  }

  #part(attribute: Exclude<Composed, RelationAttribute>): JsonSchema {
    const annotations = annotationsOf(attribute.definition)
    if (attribute.kind === 'component') {
      const component = this.#component(this.registry.component(attribute.component), false)
      // Without the form of a count, from which generated clients would have to tell every list apart.
      const value = attribute.repeatable ? { type: 'array', items: component } : nullable(component)
      return { ...annotations, ...value }
    }
    return {
      ...annotations,
      type: 'array',
      items: {
        oneOf: attribute.components.map((uid) => this.#component(this.registry.component(uid), true)),
        discriminator: this.#context.discriminator(attribute.components, 'Item'),
      },
    }
  }

  #component(component: Component, inZone: boolean): JsonSchema {
    return this.#context.references.to(`${this.#context.nameOf(component)}${inZone ? 'Item' : ''}`, () => ({
      type: 'object',
      ...describedBy(component),
      required: inZone ? ['id', '__component'] : ['id'],
      properties: {
        id: entryId,
        ...(inZone && { __component: { type: 'string', const: component.uid } }),
        ...this.#properties(component, (attribute) => this.#value(attribute)),
      },
    }))
  }

  #filter(attribute: Attribute): JsonSchema {
    if (isValue(attribute)) return this.#operators(attribute)
    if (attribute.kind === 'relation') return this.filters(attribute.target)
    return attribute.kind === 'component' ? this.filters(attribute.component) : {}
  }

  #operators({ type }: ValueAttribute): JsonSchema {
    const { name, schema } = operatorsOf(type, this.#context.operators.values())
    return this.#context.references.to(name, () => schema)
  }
}
