import type { GraphqlExtension } from '@octavo/server'
import { printSchema } from 'graphql'
import { executableSchema } from './build-schema.ts'
import type { SchemaText } from './schema-text.ts'

/** The schema in SDL, with the types that an operation can reach. */
export const printedSchema = (text: SchemaText, extend: readonly GraphqlExtension[] = []): string =>
  printSchema(executableSchema(text, new Set(), extend))
