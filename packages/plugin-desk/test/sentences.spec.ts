/** The checks before a save find what the server finds, in the same words. */
import type { AttributeDefinition } from '@octavo/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mistakeWords } from '../src/browser/model/mistake-words.ts'
import { textsFor } from '../src/browser/text/index.ts'
import { check, emptyGroup, type FormModel, modelOf, placeErrors } from '../src/form/index.ts'
import { openSite, type Site } from './site.ts'

const uid = 'api::rule.rule'

const german = await textsFor(['de'])

const attributes: Readonly<Record<string, AttributeDefinition>> = {
  short: { type: 'string', minLength: 3, maxLength: 5, regex: '^[a-z]*$' },
  slug: { type: 'uid' },
  kind: { type: 'enumeration', enum: ['one', 'two'] },
  secret: { type: 'password', minLength: 8 },
  whole: { type: 'integer', min: 1, max: 9 },
  large: { type: 'biginteger', max: '9007199254740993' },
  part: { type: 'float', min: 0.5 },
  price: { type: 'decimal', max: 10 },
}

/** Values that are wrong in one or several ways, and right ones. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  short: ['ab', 'ABCDEF', 'abc', '', 7],
  slug: ['first light', 'first-light'],
  kind: ['three', 'two'],
  secret: ['short', 'ä'.repeat(40), 'long enough'],
  whole: [0, 10, 1.5, 'many', 3_000_000_000, '5', 9],
  large: ['9007199254740994', '99999999999999999999', 9_007_199_254_740_992, '9007199254740993'],
  part: [0.25, 'half', 0.5],
  price: [10.01, 9.99],
}

describe('checks of the form', () => {
  let site: Site
  let model: FormModel
  let ada: string

  beforeAll(async () => {
    site = await openSite(
      [
        {
          kind: 'collectionType',
          info: { singularName: 'rule', pluralName: 'rules' },
          attributes: {
            ...attributes,
            needed: { type: 'string', required: true },
            parts: { type: 'component', component: 'page.part', repeatable: true, min: 2, max: 3 },
          },
        },
      ],
      [{ uid: 'page.part', attributes: { text: { type: 'string', required: true, maxLength: 3 } } }],
    )
    ada = await site.signIn('ada@example.org')
    model = modelOf((await site.send(ada, 'GET', 'model')).body)
  })
  afterAll(() => site.close())

  const scalar = (value: unknown) => ({ kind: 'scalar', value }) as const

  async function compare(fields: Readonly<Record<string, unknown>>, parts: readonly string[] = ['a', 'b']) {
    const empty = emptyGroup(model, uid)
    const value = {
      ...empty,
      fields: {
        ...empty.fields,
        needed: scalar('is there'),
        ...Object.fromEntries(Object.entries(fields).map(([name, given]) => [name, scalar(given)])),
        parts: {
          kind: 'components' as const,
          items: parts.map((text, i) => ({
            uid: 'page.part',
            id: undefined,
            key: `+${i}`,
            fields: { text: scalar(text) },
          })),
        },
      },
    }
    const data = { needed: 'is there', ...fields, parts: parts.map((text) => ({ text })) }
    const { status, body } = await site.send(ada, 'POST', 'content/rules', { data })
    const errors = status === 400 ? placeErrors(value, body.error.details.errors) : []
    expect([data, check(model, value)]).toEqual([data, errors])
    // Each of them has words in the other languages; a value that is no text comes from no input for texts.
    for (const { message } of errors.filter((error) => error.message !== 'must be text'))
      expect(mistakeWords(message, german), message).not.toMatch(/must|characters|may only/)
    return errors.length
  }

  it.each(Object.entries(values))('of %s', async (name, given) => {
    for (const value of given) await compare({ [name]: value })
  })

  it('of required values, and of lists of components', async () => {
    expect(await compare({}, ['a'])).toBe(1)
    expect(await compare({}, ['a', 'b', 'c', 'long'])).toBe(2)
    expect(await compare({}, [])).toBe(0)
    const { body } = await site.send(ada, 'POST', 'content/rules', {
      data: { publishedAt: new Date().toISOString() },
    })
    const empty = emptyGroup(model, uid)
    expect(check(model, empty)).toEqual(placeErrors(empty, body.error.details.errors))
  })
})
