import {
  coerceInputValue,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  isInputType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import { refusalOf } from '../errors.ts'
import { cut, shownValue } from './shown-value.ts'

/** As given. */
export type Variables = Readonly<Record<string, unknown>> | undefined

/**
 * The values of an operation's variables, with defaults.
 *
 * @param names The names of the variables. Default: all.
 *
 * @throws RequestRefusal for values that do not fit
 */
export type Coerce = (
  definition: OperationDefinitionNode,
  variables: Variables,
  names?: ReadonlySet<string>,
) => Readonly<Record<string, unknown>>

const maxErrors = 10

/** @param hideSuggestions Whether messages name no parts of the schema that the request does not have. */
export const coercing =
  (schema: GraphQLSchema, hideSuggestions: boolean): Coerce =>
  ({ variableDefinitions = [] }, variables = {}, names) => {
    const values = new Map<string, unknown>()
    const mistakes = new Mistakes()
    for (const definition of variableDefinitions) {
      const name = definition.variable.name.value
      if (names && !names.has(name)) continue
      const type = typeFromAST(schema, definition.type)
      const given = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (isInputType(type) && given !== undefined && given !== null) {
        const refuse = mistakes.of(definition)
        values.set(
          name,
          nested(definition, () => coerceInputValue(given, type, refuse, hideSuggestions)),
        )
      } else {
        // Without a value, the messages of the library are short.
        const { coerced = {}, errors = [] } = getVariableValues(schema, [definition], variables)
        for (const error of errors) mistakes.add(error)
        for (const [key, value] of Object.entries(coerced)) values.set(key, value)
      }
    }
    mistakes.check()
    return Object.fromEntries(values)
  }

type OnError = NonNullable<Parameters<typeof coerceInputValue>[2]>

/** The mistakes of all variables, with the messages of the library, which are cut where they show a long value. */
class Mistakes {
  readonly #errors: GraphQLError[] = []
  /** Several mistakes of an object show the same value. */
  readonly #shown = new Map<unknown, string>()

  /** @throws RequestRefusal when there are too many */
  add(error: GraphQLError): void {
    if (this.#errors.length === maxErrors) {
      const text = 'Too many errors processing variables, error limit reached. Execution aborted.'
      throw refusalOf(code, [...this.#errors, new GraphQLError(text)])
    }
    this.#errors.push(error)
  }

  of(definition: VariableDefinitionNode): OnError {
    const name = definition.variable.name.value
    return (path, value, { message }) => {
      const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
      const place = steps === '' ? '' : ` at "${name}${steps}"`
      const text = `Variable "$${name}" got invalid value ${this.#show(value)}${place}; ${cut(message)}`
      this.add(new GraphQLError(text, { nodes: definition }))
    }
  }

  /** @throws RequestRefusal when there is one */
  check(): void {
    if (this.#errors.length > 0) throw refusalOf(code, this.#errors)
  }

  #show(value: unknown): string {
    const known = this.#shown.get(value)
    if (known !== undefined) return known
    const text = shownValue(value)
    this.#shown.set(value, text)
    return text
  }
}

const code = 'BAD_USER_INPUT'

/** Runs `coerce`, which recurses as deep as the value nests. @throws RequestRefusal for a value that nests too deeply */
function nested(definition: VariableDefinitionNode, coerce: () => unknown): unknown {
  try {
    return coerce()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const text = `Variable "$${definition.variable.name.value}" nests too deeply.`
    throw refusalOf(code, [new GraphQLError(text, { nodes: definition })])
  }
}
