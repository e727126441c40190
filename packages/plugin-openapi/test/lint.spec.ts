import { scalarTypes } from '@octavo/core/plugin'
import { describeServer } from '@octavo/plugin-openapi'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { valueTypes } from '../src/schemas/values.ts'
import { type RecordedServer, recordedServer } from './conformance.ts'
import { lint } from './lint.ts'

let site: RecordedServer
beforeAll(async () => {
  site = await recordedServer({
    users: {
      refreshTokens: true,
      providers: {
        example: {
          issuer: 'https://id.example.org',
          clientId: 'a',
          clientSecret: 'b',
          callbacks: ['https://example.org/back'],
        },
      },
    },
    options: { metrics: true, api: { rest: { bulk: true } } },
  })
})
afterAll(() => site.close())

it('The description of every endpoint, with all options on, has no errors for the linter of Redocly', async () => {
  const description = describeServer(site.server) as { readonly paths: object }
  expect(Object.keys(description.paths)).toEqual(
    expect.arrayContaining([
      '/api/articles/actions/bulk',
      '/api/connect/{provider}',
      '/api/auth/refresh',
      '/_metrics',
    ]),
  )
  expect(await lint(description)).toContain('Your API description is valid')
})

/** The pointers of schemas of objects of which nothing is said. Generated clients take such an object as one without members. */
function emptyObjects(part: unknown, at = ''): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  const isObject = 'type' in part && [part.type].flat().includes('object')
  const isSaid = ['properties', 'additionalProperties', 'anyOf', 'oneOf'].some((name) => name in part)
  const values = new Set(['example', 'examples', 'default', 'enum', 'const'])
  return [
    ...(isObject && !isSaid ? [at] : []),
    ...Object.entries(part)
      .filter(([name]) => !values.has(name) || at.endsWith('/properties'))
      .flatMap(([name, below]) => emptyObjects(below, `${at}/${name}`)),
  ]
}

it('Objects have members in the description, or may have any', () => {
  expect(emptyObjects({ schema: { type: 'object' } })).toEqual(['/schema'])
  expect(emptyObjects(describeServer(site.server))).toEqual([])
})

it('The linter finds errors where there are some', async () => {
  const description = describeServer(site.server) as { readonly components: object }
  const broken = { ...description, components: { ...description.components, schemas: {} } }
  await expect(lint(broken)).rejects.toThrow()
})

it('Every attribute type of core has a schema', () => {
  expect(Object.keys(valueTypes).sort()).toEqual([...scalarTypes.keys()].sort())
})
