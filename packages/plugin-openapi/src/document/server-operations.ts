import type { ApiOperation, JsonSchema } from '@octavo/server'

const status = (values: readonly string[]): JsonSchema => ({
  type: 'object',
  required: ['status'],
  properties: { status: { enum: values }, database: { enum: ['up', 'down', 'unknown'] } },
})

/** The descriptions of the server's own endpoints, by path. */
export const serverOperations: Readonly<Record<string, ApiOperation>> = {
  '/_health': {
    id: 'health',
    tag: 'Health',
    summary: 'Whether the database answers',
    responses: { 204: { description: 'It answers.' }, 503: { description: 'It does not.' } },
  },
  '/_health/live': {
    id: 'healthLive',
    tag: 'Health',
    summary: 'Whether the process runs',
    responses: { 200: { description: 'It runs.', schema: status(['live']) } },
  },
  '/_health/ready': {
    id: 'healthReady',
    tag: 'Health',
    summary: 'Whether requests are accepted',
    responses: {
      200: { description: 'They are.', schema: status(['ready', 'busy']) },
      503: {
        description: 'The server stops, or the database does not answer.',
        schema: status(['stopping', 'unavailable']),
      },
    },
  },
  '/_metrics': {
    id: 'metrics',
    tag: 'Health',
    summary: 'Metrics for Prometheus',
    responses: { 200: { description: 'The metrics.', mediaType: 'text/plain', schema: { type: 'string' } } },
  },
}
