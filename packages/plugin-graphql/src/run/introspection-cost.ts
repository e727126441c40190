/** The size of an introspection. Aliases and nested lists multiply its answer, which no statement bounds. */
import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'

/** The multiple of the introspection that tools send that one operation may ask for. */
const most = 3

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** The most items of each list of the introspection, by the name of its field. */
type Lengths = ReadonlyMap<string, number>

/** Bounds the introspections of an operation by that which tools send, so that the bound follows the schema. */
export class IntrospectionCost {
  readonly #lengths: Lengths
  /** The most that the root fields of an operation may cost together. */
  readonly limit: number

  constructor(schema: GraphQLSchema) {
    this.#lengths = lengthsOf(schema)
    const usual = parse(getIntrospectionQuery())
    const fragments = new Map<string, FragmentDefinitionNode>()
    let selected: SelectionSetNode | undefined
    for (const definition of usual.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
      if (definition.kind === Kind.OPERATION_DEFINITION) selected = definition.selectionSet
    }
    this.limit = most * (selected ? this.#costOf(selected, fragments) : 0)
  }

  /** The cost of the root fields of introspection; 0 without any. @param fragments Without circles */
  costOf({ selections }: SelectionSetNode, fragments: Fragments): number {
    return this.#costOf({ kind: Kind.SELECTION_SET, selections }, fragments, true)
  }

  /** @param isRoot Whether fields of entries are among the selections, which cost nothing here. */
  #costOf({ selections }: SelectionSetNode, fragments: Fragments, isRoot = false): number {
    let cost = 0
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { name, selectionSet } = selection
        if (isRoot && !roots.has(name.value)) continue
        const below = selectionSet ? this.#costOf(selectionSet, fragments) : 0
        cost += (this.#lengths.get(name.value) ?? 1) * (1 + below)
      } else if (selection.kind === Kind.INLINE_FRAGMENT)
        cost += this.#costOf(selection.selectionSet, fragments, isRoot)
      else {
        const fragment = fragments.get(selection.name.value)
        if (fragment) cost += this.#costOf(fragment.selectionSet, fragments, isRoot)
      }
    }
    return cost
  }
}

const roots: ReadonlySet<string> = new Set(['__schema', '__type'])

function lengthsOf(schema: GraphQLSchema): Lengths {
  const lengths = new Map<string, number>()
  const note = (name: string, length: number): void => {
    lengths.set(name, Math.max(length, lengths.get(name) ?? 0))
  }
  const types = Object.values(schema.getTypeMap())
  note('types', types.length)
  note('directives', schema.getDirectives().length)
  for (const type of types) {
    if (isObjectType(type) || isInterfaceType(type)) {
      const fields = Object.values(type.getFields())
      note('fields', fields.length)
      note('interfaces', type.getInterfaces().length)
      for (const { args } of fields) note('args', args.length)
    } else if (isInputObjectType(type)) note('inputFields', Object.keys(type.getFields()).length)
    else if (isEnumType(type)) note('enumValues', type.getValues().length)
    else if (isUnionType(type)) note('possibleTypes', type.getTypes().length)
  }
  return lengths
}
