import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { literal, qsCode, queryOf } from './request.ts'
import { emptyState, readState } from './state.ts'

/** The value of JavaScript that the page shows. */
const resultOf = (code: string): unknown => JSON.parse(runInNewContext(`JSON.stringify(${code})`))

describe('The programs of the query page', () => {
  it.each([
    "it's",
    'a\\',
    'one\r\ntwo',
    '\u2028\u2029',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the characters of a template are part of a value here
    '`${1}`',
    { 'a-b': ["'"] },
    JSON.parse('{"__proto__":{"a":1}}'),
  ])('have the value %j', (value) => {
    expect(JSON.stringify(resultOf(literal(value)))).toBe(JSON.stringify(value))
  })

  it('have an id of a link as part of the address, whatever is in it', () => {
    const code = qsCode('http://localhost', { ...emptyState, path: '/api/articles', id: "1');alert('1" }, {})
    expect(code.split('\n')[0]).toBe(
      `const response = await fetch('http://localhost/api/articles/1%27)%3Balert(%271')`,
    )
  })

  it('have half of a character in a link as U+FFFD', () => {
    const state = readState(`#${encodeURIComponent('{"path":"/api/articles","id":"\\ud800"}')}`)
    expect(qsCode('', state, {})).toContain("fetch('/api/articles/%EF%BF%BD')")
  })

  it('populate what a link names, also where that is the name of a member of all objects', () => {
    const query = queryOf(
      { ...emptyState, path: '/api/articles', populate: ['__proto__.author', 'constructor'] },
      {},
    )
    expect(JSON.stringify(query)).toBe(
      '{"populate":{"__proto__":{"populate":{"author":true}},"constructor":true}}',
    )
    expect({}).not.toHaveProperty('author')
  })
})
