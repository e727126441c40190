import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { problem, problems } from './problems.ts'

describe('docs/errors.md', () => {
  const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
  const described = [...page.matchAll(/^\| `((?:query|entry|database)\/[a-z-]+)` \| (\d+) \| (\w+) \|/gm)]

  it('has a row for every code, with its status and name', () => {
    const rows = new Map(described.map(([, code, status, name]) => [code, `${status} ${name}`]))
    for (const [code, { error }] of Object.entries(problems)) {
      const { status, name } = new error(code, '')
      expect([code, rows.get(code)]).toEqual([code, `${status} ${name}`])
    }
  })

  it('has every code of every package', () => {
    const packages = fileURLToPath(new URL('../../../', import.meta.url))
    const sources = globSync('*/src/**/*.ts', { cwd: packages }).filter((file) => !file.endsWith('.test.ts'))
    const codes = sources.flatMap((file) => [
      ...readFileSync(packages + file, 'utf8').matchAll(
        /'((?:access|auth|body|database|entry|i18n|query|request|role|route|server|upload|user)\/[a-z-]+)'/g,
      ),
    ])
    expect(codes.length).toBeGreaterThan(80)
    const missing = codes.map(([, code]) => code).filter((code) => !page.includes(`\`${code}\``))
    expect([...new Set(missing)]).toEqual([])
  })

  it('has no row of the table for a code that nobody throws', () => {
    const thrownElsewhere = ['entry/invalid', 'entry/foreign-component', 'entry/no-such-neighbour']
    const unknown = described
      .map(([, code = '']) => code)
      .filter((code) => !(code in problems) && !thrownElsewhere.includes(code))
    expect(unknown).toEqual([])
  })
})

describe('problem', () => {
  it('makes the error of the code, with its message and details', () => {
    const error = problem('query/unknown-attribute', { at: 'sort', attribute: 'titel', type: 'article' })
    expect(error).toMatchObject({
      status: 400,
      name: 'ValidationError',
      code: 'query/unknown-attribute',
      details: {},
    })
    expect(error.message).toBe('sort: article has no attribute "titel".')
  })
})
