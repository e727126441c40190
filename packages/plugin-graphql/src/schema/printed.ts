import type { GraphqlExtension } from '@octavo/server'
import { printSchema } from 'graphql'
import { executableSchema } from './build-schema.ts'
import type { SchemaText } from './schema-text.ts'

/** The schema in SDL, with the types that an operation can reach. */
export function printedSchema(text: SchemaText, extend: readonly GraphqlExtension[] = []): string {
  const schema = executableSchema(text, new Set(), extend)
  const printed = printSchema(schema)
  // Without a list of the roots, tools take a content-type with the name of a root for that root.
  if (!schema.getType('Subscription')) return printed
  const mutation = schema.getMutationType() ? '\n  mutation: Mutation' : ''
  return `schema {\n  query: Query${mutation}\n}\n\n${printed}`
}
