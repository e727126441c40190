import { ConfigurationError } from '@octavo/core'
import type { GraphqlExtension } from '@octavo/server'
import {
  buildSchema,
  type GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  isEnumType,
  isObjectType,
  isScalarType,
} from 'graphql'
import { checkScalar, refuse, setCheck, withWords, zoneItem } from './scalars.ts'
import type { SchemaText } from './schema-text.ts'

/** Codes of the locales that a request may name; changes while the server runs. */
export interface KnownLocales {
  has(code: string): boolean
}

/** The executable form of a schema: its scalars check values, and its enumerations have the values of the model. */
export function executableSchema(
  { text, enums, zones, components }: SchemaText,
  locales: KnownLocales,
  extend: readonly GraphqlExtension[] = [],
): GraphQLSchema {
  const built = (extensions: readonly GraphqlExtension[]): GraphQLSchema =>
    withResolvers(buildSchema([text, ...extensions.map(({ typeDefs }) => typeDefs)].join('\n')), extensions)
  const given = built(extend)
  const all = hasFields(given.getQueryType()) ? given : built([...extend, noQueries])
  for (const type of Object.values(all.getTypeMap())) {
    if (isEnumType(type)) {
      const values = enums.get(type.name)
      if (values) for (const value of type.getValues()) value.value = values.get(value.name)
    } else if (isScalarType(type)) {
      const allowed = zones.get(type.name)
      if (allowed) setCheck(type, zoneItem(components, allowed), withWords)
      else if (type.name === 'I18NLocaleCode') checkLocales(type, locales)
      else checkScalar(type)
    }
  }
  const query = all.getQueryType()
  const mutation = all.getMutationType()
  // With the types that an operation can reach.
  return new GraphQLSchema({
    ...(query && { query }),
    ...(mutation && hasFields(mutation) && { mutation }),
    directives: all.getDirectives(),
  })
}

/** A schema has a query: that of the reference's library for schemas without one. */
const noQueries: GraphqlExtension = {
  typeDefs: 'extend type Query { ok: Boolean! }',
  resolvers: { Query: { ok: () => true } },
}

const hasFields = (type: GraphQLObjectType | null | undefined): boolean =>
  Object.keys(type?.getFields() ?? {}).length > 0

/** `all` reads every locale. As in the reference, and in REST, a locale of a variable may be unknown: nothing is found in it. */
function checkLocales(type: GraphQLScalarType, locales: KnownLocales): void {
  const refuseLocale = (): never => refuse('Unknown locale supplied')
  setCheck(type, (code) =>
    typeof code === 'string' && (code === 'all' || locales.has(code)) ? code : refuseLocale(),
  )
  type.parseValue = (code) => (typeof code === 'string' ? code : refuseLocale())
}

/** @throws ConfigurationError for a resolver of a field that does not exist */
function withResolvers(schema: GraphQLSchema, extend: readonly GraphqlExtension[]): GraphQLSchema {
  for (const { resolvers = {} } of extend) {
    for (const [name, fields] of Object.entries(resolvers)) {
      const type = schema.getType(name)
      for (const [field, resolve] of Object.entries(fields)) {
        const found = isObjectType(type) ? type.getFields()[field] : undefined
        if (!found) throw new ConfigurationError(`there is no field ${name}.${field} in typeDefs`)
        found.resolve = (parent, values, context) => resolve(parent, values, context)
      }
    }
  }
  return schema
}
