/** The fields of a selection: fragments are opened, directives applied, and fields of one response key joined. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  isNonNullType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

/** The parts of an operation that its fields refer to. */
export interface Operation {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Coerced, with defaults. */
  readonly variables: Readonly<Record<string, unknown>>
}

/** Fields by their key in the answer, in the order of the answer. */
export type Fields = ReadonlyMap<string, readonly FieldNode[]>

/** The fields that a list of fields selects on an object of a type. */
export function subfields(nodes: readonly FieldNode[], type: string, operation: Operation): Fields {
  return collect(
    nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    type,
    operation,
  )
}

/** `{ required: 'Article.title' }` for a field of an object type whose values cannot be null. */
export function requiredIn(
  type: string,
  field: string,
  { schema }: Operation,
): { readonly required?: string } {
  const object = schema.getType(type) as GraphQLObjectType // an object of the answer
  const given = object.getFields()[field]
  return given && isNonNullType(given.type) ? { required: `${type}.${field}` } : {}
}

export function collect(sets: readonly SelectionSetNode[], type: string, operation: Operation): Fields {
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<string>()
  const visit = (selection: SelectionNode): void => {
    if (!isIncluded(selection, operation)) return
    switch (selection.kind) {
      case Kind.FIELD: {
        const key = selection.alias?.value ?? selection.name.value
        const known = fields.get(key)
        if (known) known.push(selection)
        else fields.set(key, [selection])
        break
      }
      case Kind.INLINE_FRAGMENT:
        if (applies(selection.typeCondition?.name.value, type, operation))
          for (const child of selection.selectionSet.selections) visit(child)
        break
      case Kind.FRAGMENT_SPREAD: {
        const name = selection.name.value
        const fragment = operation.fragments.get(name)
        if (!fragment || seen.has(name)) break
        seen.add(name)
        if (applies(fragment.typeCondition.name.value, type, operation))
          for (const child of fragment.selectionSet.selections) visit(child)
      }
    }
  }
  for (const { selections } of sets) for (const selection of selections) visit(selection)
  return fields
}

function isIncluded(selection: SelectionNode, { variables }: Operation): boolean {
  if (selection.directives === undefined || selection.directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false
}

function applies(condition: string | undefined, type: string, { schema }: Operation): boolean {
  if (condition === undefined || condition === type) return true
  const [abstract, object] = [schema.getType(condition), schema.getType(type)]
  return (
    abstract !== undefined &&
    isAbstractType(abstract) &&
    schema.getPossibleTypes(abstract).some((one) => one === object)
  )
}
