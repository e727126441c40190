import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  checkDefinitions,
  createOctavo,
  defineContentType,
  type Logger,
  type Octavo,
  silentLogger,
} from '../src/index.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
})

let octavo: Octavo
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  octavo = await createOctavo({ contentTypes: [article], database: made.url })
})
afterAll(async () => {
  await octavo?.close()
  await drop?.()
})

const start = (options: object) => createOctavo({ database: 'nowhere', ...options })

describe('14.15: unknown names', () => {
  it('are errors in options, at any depth, with the nearest known name', async () => {
    await expect(
      start({ contentType: [article], rest: { maxLimt: 5 }, limits: { dept: 3 } }),
    ).rejects.toThrow(
      'createOctavo: there is no option "contentType"; did you mean "contentTypes"?; there is no option "rest.maxLimt"; did you mean "maxLimit"?; there is no option "limits.dept"; did you mean "depth"?',
    )
  })

  it('do not include the keys of loadContentTypes', () => {
    const loaded = { contentTypes: [article], components: [], extensions: [], sources: new Map() }
    expect(() => checkDefinitions({ ...loaded })).not.toThrow()
  })

  it('are errors in definitions that are code', async () => {
    const wrong = {
      ...article,
      colectionName: 'x',
      options: { draftAndPublsh: true },
      attributes: { title: { type: 'string', requred: true } },
    }
    const refused = start({ contentTypes: [wrong] })
    await expect(refused).rejects.toThrow(
      'colectionName: there is no such key; did you mean "collectionName"?',
    )
    await expect(refused).rejects.toThrow(
      'options.draftAndPublsh: there is no such key; did you mean "draftAndPublish"?',
    )
    await expect(refused).rejects.toThrow(
      'attributes.title.requred: there is no such key; did you mean "required"?',
    )
  })

  it('are warnings in definitions that are files', () => {
    const warnings: string[] = []
    const logger: Logger = { ...silentLogger, warn: (_, message) => void warnings.push(message) }
    const file = { ...article, attributes: { title: { type: 'string', requred: true } } }
    // As marked by `loadContentTypes`.
    const loaded = { ...file, [Symbol.for('octavo.source')]: 'content-types/article.json' }
    checkDefinitions({ contentTypes: [loaded], logger })
    expect(warnings).toEqual([
      'content-types/article.json: attributes.title.requred: there is no such key; did you mean "required"?',
    ])
  })

  it('are errors in the queries of programs', async () => {
    await expect(octavo.entries('article').find({ filtres: { title: 'x' } })).rejects.toMatchObject({
      status: 400,
      code: 'query/unknown-parameter',
      message: 'There is no parameter "filtres"; did you mean "filters"?',
    })
    expect((await octavo.entries('article').find({ filters: { title: 'x' } })).data).toEqual([])
  })
})

describe('14.10: parameters of absent plugins', () => {
  it.each(['populate=deep,3', 'pLevel=4', 'customPopulate=nested'])(
    'are refused with what to write: %s',
    async (query) => {
      const [type] = octavo.registry.contentTypes.values()
      if (!type) throw new Error('There is no type')
      await expect(
        octavo.read({ type, action: 'find', kind: 'list', query, state: {} }),
      ).rejects.toMatchObject({
        status: 400,
        code: 'query/foreign-parameter',
        message: expect.stringMatching(/which is not here; write out what to populate/),
      })
    },
  )
})
