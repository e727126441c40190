import type { ApiBody, JsonSchema } from '@octavo/server'

/** A body of JSON. */
export const json = (schema: JsonSchema): ApiBody => ({ content: { 'application/json': { schema } } })

/** The responses of an operation that always answers 200. */
export const answer = (description: string, schema: JsonSchema) => ({ 200: { description, schema } })
