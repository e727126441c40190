import { createClient } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type Answer,
  answersOf,
  type Exchange,
  exchanges,
  type RecordedServer,
  recordedAnswers,
  recordedServer,
} from './conformance.ts'
import { closed, type Description, operationOf, pointer, validator } from './description.ts'

// Hundreds of recorded exchanges are sent, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let site: RecordedServer
let description: Description
let all: readonly Exchange[]
let ours: Readonly<Record<string, Answer>>
let theirs: Readonly<Record<string, Answer>>

beforeAll(async () => {
  site = await recordedServer({ openapi: { access: 'all' } })
  description = (await createClient(site.url).get('/api/openapi.json')).body as Description
  all = await exchanges()
  theirs = await recordedAnswers()
  ours = await answersOf(site.url)
})
afterAll(() => site.close())

/** The mistakes of answers, one line each. */
function mistakesIn(answers: Readonly<Record<string, Answer>>, given: object): readonly string[] {
  const validate = validator(given)
  return all.flatMap(({ id, method, path }) => {
    const answer = answers[id]
    if (!answer || method === 'HEAD') return []
    const found = operationOf(description, method, path)
    if (!found)
      return [404, 405].includes(answer.status) ? [] : [`${id} ${method} ${path}: no such operation`]
    const { template, operation } = found
    const status = String(answer.status) in operation.responses ? String(answer.status) : 'default'
    if (answer.status < 400 && status === 'default')
      return [`${id} ${method} ${path}: no response ${answer.status}`]
    const response = operation.responses[status]
    const at =
      typeof response === 'object' && response !== null && '$ref' in response
        ? String(response.$ref).slice(1)
        : pointer('paths', template, method.toLowerCase(), 'responses', status)
    const hasBody = JSON.stringify(response).includes('application/json') || at.startsWith('/components')
    const mistake = hasBody
      ? validate(`${at}${pointer('content', 'application/json', 'schema')}`, answer.body)
      : undefined
    return mistake === undefined ? [] : [`${id} ${method} ${path} ${answer.status}: ${mistake}`]
  })
}

describe('The description, held against the recorded exchanges', () => {
  it('has the requests', () => {
    expect(all).toHaveLength(612)
    expect(Object.keys(ours)).toHaveLength(612)
  })

  it('has a schema for every answer of this server, with every property', () => {
    expect(mistakesIn(ours, closed(description) as object)).toEqual([])
  })

  it('would not do without an attribute or a response', () => {
    const { title: _, ...rest } = description.components.schemas.ArticleAttributes?.properties ?? {}
    const schemas = {
      ...description.components.schemas,
      ArticleAttributes: { type: 'object', properties: rest },
    }
    const less = { ...description, components: { ...description.components, schemas } }
    expect(mistakesIn(ours, closed(less) as object).length).toBeGreaterThan(100)
  })

  it('has a schema for every answer of the reference server that this server gives as well', () => {
    // The reference server has no codes, and one answer of it has no details.
    const withoutCodes = JSON.parse(
      JSON.stringify(description)
        .replaceAll('"required":["code"]', '"required":[]')
        .replaceAll(
          '"required":["status","name","message","details"]',
          '"required":["status","name","message"]',
        ),
    ) as object
    const same = Object.fromEntries(Object.entries(theirs).filter(([, { instead }]) => instead === undefined))
    expect(Object.keys(same).length).toBeGreaterThan(500)
    expect(mistakesIn(same, withoutCodes)).toEqual([])
  })

  it('has a schema for the body of every write that succeeds', () => {
    const validate = validator(description)
    const writes = all.filter(
      ({ id, method, body }) => body !== undefined && method !== 'GET' && (ours[id]?.status ?? 500) < 300,
    )
    expect(writes.length).toBeGreaterThan(60)
    const mistakes = writes.flatMap(({ id, method, path, body }) => {
      const found = operationOf(description, method, path)
      if (!found) return [`${id} ${method} ${path}: no such operation`]
      const at = pointer(
        'paths',
        found.template,
        method.toLowerCase(),
        'requestBody',
        'content',
        'application/json',
        'schema',
      )
      const mistake = validate(at, body)
      return mistake === undefined
        ? []
        : [`${id} ${method} ${path}: ${mistake} ${JSON.stringify(body).slice(0, 300)}`]
    })
    expect(mistakes).toEqual([])
  })
})
