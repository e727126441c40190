/** The size of a text, which is bounded before the rules of the library check it: they take up to the square of its size. */
import {
  type ExecutableDefinitionNode as Definition,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { refusalOf } from '../errors.ts'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Fields that a text selects, with those of fragments each time that they are used, and those of fragments that nothing uses. */
const maxFields = 4_000
/** Pairs of selections with one key, and of fragments, in one object of the answer: the rules compare each of them. */
const maxPairs = 20_000

/** @param definitions All operations and fragments of the text. @throws RequestRefusal */
export function checkSize(
  definitions: readonly Definition[],
  fragments: Fragments,
  depthLimit: number,
): void {
  const used = new Set<Definition>()
  const fields = new Budget(maxFields, `The operations and fragments select more than ${maxFields} fields`)
  const pairs = new Budget(
    maxPairs,
    'The query selects too many fields with one name, or fragments, in one place',
  )
  const check = (definition: Definition): void => {
    countFields(definition, fragments, { depthLimit, fields, used })
    countPairs(definition, fragments, pairs)
  }
  for (const definition of definitions) if (definition.kind === Kind.OPERATION_DEFINITION) check(definition)
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION && !used.has(definition)) check(definition)
}

class Budget {
  #rest: number
  readonly #message: string

  constructor(most: number, message: string) {
    this.#rest = most
    this.#message = message
  }

  /** @throws RequestRefusal when nothing is left */
  spend(amount: number): void {
    this.#rest -= amount
    if (this.#rest < 0) throw refusalOf(code, [new GraphQLError(this.#message)])
  }
}

const code = 'GRAPHQL_VALIDATION_FAILED'

interface Counting {
  readonly depthLimit: number
  /** Of the whole text. */
  readonly fields: Budget
  /** Gets the fragments that the definition uses. */
  readonly used: Set<Definition>
}

/**
 * Counts fields and levels, with those of fragments where they are used; fragments that use themselves are left to the rules.
 *
 * @throws RequestRefusal
 */
function countFields(
  definition: Definition,
  fragments: Fragments,
  { depthLimit, fields, used }: Counting,
): void {
  const name = definition.name?.value ?? ''
  const own = new Budget(maxFields, `'${name}' selects more than ${maxFields} fields`)
  const open = new Set<string>()
  // Introspection nests deeper than queries of entries, and has a rule of its own.
  const visit = ({ selections }: SelectionSetNode, depth: number, step = 1): void => {
    if (depth > depthLimit)
      throw refusalOf(code, [new GraphQLError(`'${name}' exceeds maximum operation depth of ${depthLimit}`)])
    own.spend(selections.length)
    fields.spend(selections.length)
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const next = selection.name.value.startsWith('__') ? 0 : step
        if (selection.selectionSet) visit(selection.selectionSet, depth + next, next)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet, depth, step)
      else {
        const fragment = fragments.get(selection.name.value)
        if (!fragment || open.has(selection.name.value)) continue
        used.add(fragment)
        open.add(selection.name.value)
        visit(fragment.selectionSet, depth, step)
        open.delete(selection.name.value)
      }
    }
  }
  visit(definition.selectionSet, 0)
}

/**
 * Counts the pairs that the rules compare. Fields with one key make one object, so that their selections are compared with each other too.
 *
 * @throws RequestRefusal
 */
function countPairs({ selectionSet }: Definition, fragments: Fragments, pairs: Budget): void {
  const open = new Set<string>()
  const visit = (sets: readonly SelectionSetNode[]): void => {
    const byKey = new Map<string, FieldNode[]>()
    const spread = new Set<string>()
    const gather = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          const key = (selection.alias ?? selection.name).value
          const equal = byKey.get(key) ?? []
          pairs.spend(equal.length)
          equal.push(selection)
          byKey.set(key, equal)
        } else if (selection.kind === Kind.INLINE_FRAGMENT) gather(selection.selectionSet)
        else {
          const name = selection.name.value
          const fragment = fragments.get(name)
          if (!fragment || spread.has(name) || open.has(name)) continue
          pairs.spend(spread.size)
          spread.add(name)
          gather(fragment.selectionSet)
        }
      }
    }
    for (const set of sets) gather(set)
    for (const name of spread) open.add(name)
    for (const equal of byKey.values()) {
      const below = equal.flatMap((field) => field.selectionSet ?? [])
      if (below.length > 0) visit(below)
    }
    for (const name of spread) open.delete(name)
  }
  visit([selectionSet])
}
