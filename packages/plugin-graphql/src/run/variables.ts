import { type GraphQLSchema, getVariableValues, type OperationDefinitionNode } from 'graphql'
import { refusalOf } from '../errors.ts'

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

/** @param hideSuggestions Whether messages name no parts of the schema that the request does not have. */
export const coercing =
  (schema: GraphQLSchema, hideSuggestions: boolean): Coerce =>
  ({ variableDefinitions = [] }, variables, names) => {
    const wanted = names
      ? variableDefinitions.filter(({ variable }) => names.has(variable.name.value))
      : variableDefinitions
    const options = { maxErrors: 10, hideSuggestions }
    const { coerced, errors } = getVariableValues(schema, wanted, variables ?? {}, options)
    if (coerced) return coerced
    throw refusalOf('BAD_USER_INPUT', errors)
  }
