import type { ApiOperation, JsonSchema } from '@octavo/server'

interface Outline {
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** The schema of a JSON body. */
  readonly body?: JsonSchema
  readonly answer: JsonSchema
  /** Default 200. */
  readonly status?: number
  /** Whether it needs no session. Default false. */
  readonly open?: boolean
}

/** An operation of the desk. */
export const operation = (
  tag: string,
  { id, summary, description, body, answer, status = 200, open = false }: Outline,
): ApiOperation => ({
  id: `desk-${id}`,
  tag,
  summary,
  security: open ? [] : ['deskSession'],
  ...(description !== undefined && { description }),
  ...(body && { body: { content: { 'application/json': { schema: body } } } }),
  responses: { [status]: { description: 'It is done.', schema: answer } },
})
