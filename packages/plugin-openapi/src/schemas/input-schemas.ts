import type { Attribute, ComputedAttribute, Model } from '@octavo/core/plugin'
import type { JsonSchema } from '@octavo/server'
import { describedBy, type SchemaContext } from './context.ts'
import { reference } from './references.ts'
import { entryId } from './shared.ts'
import { annotationsOf, constraintsOf, defaultOf, lengthsOf, nullable } from './values.ts'

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
    const isTaken = (attribute: Pick<Attribute, 'name' | 'definition'>): boolean =>
      !without.has(attribute.name) && this.#context.isWritable(attribute, model, action)
    const attributes = [...model.attributes.values()]
      .filter((attribute) => !setByServer.has(attribute.name) && isTaken(attribute))
      .filter((attribute) => attribute.kind !== 'computed')
    // A component that is changed in place may lack values.
    const isComplete = action === 'create' && model.kind !== 'component' && !this.#context.mayBeDraft(model)
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
          [...model.morphs.values()].filter(isTaken).map(({ name }) => [name, reference('RelationToAny')]),
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
    const mayBeDraft = this.#context.mayBeDraft(model)
    const mayBeNull = attribute.definition.required !== true || mayBeDraft
    switch (attribute.kind) {
      case 'scalar': {
        const { input } = this.#context.valueOf(attribute)
        const schema = {
          ...input,
          ...constraintsOf(attribute, input, mayBeDraft),
          ...annotations,
          ...defaultOf(attribute.definition),
        }
        return mayBeNull ? nullable(schema) : schema
      }
      case 'relation':
        return { ...annotations, ...reference(attribute.many ? 'RelationToMany' : 'RelationToOne') }
      case 'component': {
        const input = this.of(attribute.component, 'create')
        if (attribute.repeatable)
          return { ...annotations, type: 'array', ...lengthsOf(attribute, mayBeNull), items: input }
        return { ...annotations, ...(mayBeNull ? nullable(input) : input) }
      }
      case 'zone': {
        const items = this.#zoneInput(attribute.components)
        return { ...annotations, type: 'array', ...lengthsOf(attribute, mayBeNull), items }
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
