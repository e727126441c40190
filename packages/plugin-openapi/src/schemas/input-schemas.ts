import type { Attribute, ComputedAttribute, Model } from '@octavo/core/plugin'
import type { JsonSchema } from '@octavo/server'
import { describedBy, isDraftable, type SchemaContext } from './context.ts'
import { reference } from './references.ts'
import { entryId } from './shared.ts'
import { annotationsOf, constraintsOf, defaultOf, nullable } from './values.ts'

/** Attributes that the server sets; clients cannot. */
const setByServer: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'localizations'])

/** The schemas of bodies: the attributes that a create or an update takes. */
export class InputSchemas {
  readonly #context: SchemaContext

  constructor(context: SchemaContext) {
    this.#context = context
  }

  of(uid: string, action: 'create' | 'update', without: ReadonlySet<string> = new Set()): JsonSchema {
    const model = this.#context.registry.model(uid)
    const suffix = model.kind === 'component' ? 'Input' : action === 'create' ? 'Create' : 'Update'
    const name = `${this.#context.nameOf(model)}${suffix}`
    return this.#context.references.to(name, () => this.#input(model, action, without))
  }

  #input(model: Model, action: 'create' | 'update', without: ReadonlySet<string>): JsonSchema {
    const open = model.kind === 'component' ? undefined : this.#context.writable(model, action)
    const isTaken = (name: string): boolean => !without.has(name) && (open?.has(name) ?? true)
    const attributes = [...model.attributes.values()]
      .filter(({ name }) => !setByServer.has(name) && isTaken(name))
      .filter((attribute) => attribute.kind !== 'computed')
    // A component of a draft may lack values, and so may one that is changed in place.
    const isComplete = action === 'create' && model.kind !== 'component' && !isDraftable(model)
    const required = attributes
      .filter(
        ({ definition: { required, default: given } }) =>
          isComplete && required === true && given === undefined,
      )
      .map(({ name }) => name)
    return {
      type: 'object',
      ...describedBy(model),
      ...(required.length > 0 && { required }),
      ...(this.#isClosed(model) && { additionalProperties: false }),
      properties: {
        ...(model.kind === 'component' && {
          id: { ...entryId, description: 'The component of the entry to change; without it a new one.' },
        }),
        ...Object.fromEntries(
          attributes.map((attribute) => [attribute.name, this.#inputValue(attribute, model)]),
        ),
        ...Object.fromEntries(
          [...model.morphs.keys()].filter(isTaken).map((name) => [name, reference('RelationToAny')]),
        ),
      },
    }
  }

  /** Whether the server refuses other attributes. Plugins read bodies of their own content-types in their own way. */
  #isClosed({ kind, uid }: Model): boolean {
    return this.#context.strict && (kind === 'component' || uid.startsWith('api::'))
  }

  #inputValue(attribute: Exclude<Attribute, ComputedAttribute>, model: Model): JsonSchema {
    const annotations = annotationsOf(attribute.definition)
    switch (attribute.kind) {
      case 'scalar': {
        const schema = {
          ...this.#context.valueOf(attribute).input,
          ...constraintsOf(attribute, isDraftable(model)),
          ...annotations,
          ...defaultOf(attribute.definition),
        }
        const isSet = attribute.definition.required === true && !isDraftable(model)
        return isSet ? schema : nullable(schema)
      }
      case 'relation':
        return { ...annotations, ...reference(attribute.many ? 'RelationToMany' : 'RelationToOne') }
      case 'component': {
        const input = this.of(attribute.component, 'create')
        const schema = attribute.repeatable ? { type: 'array', items: input } : input
        return { ...annotations, ...nullable(schema) }
      }
      case 'zone':
        return {
          ...annotations,
          ...nullable({ type: 'array', items: this.#zoneInput(attribute.components) }),
        }
    }
  }

  #zoneInput(uids: readonly string[]): JsonSchema {
    const items = uids.map((uid) => {
      const component = this.#context.registry.component(uid)
      return this.#context.references.to(`${this.#context.nameOf(component)}ItemInput`, () => {
        const { properties, ...rest } = this.#input(component, 'create', new Set())
        return {
          ...rest,
          required: ['__component'],
          properties: { __component: { type: 'string', const: uid }, ...(properties as object) },
        }
      })
    })
    return { oneOf: items, discriminator: this.#context.discriminator(uids, 'ItemInput') }
  }
}
