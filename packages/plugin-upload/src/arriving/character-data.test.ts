import { expect, it } from 'vitest'
import { withoutCharacterData } from './character-data.ts'

it.each([
  ['<a><!-- <b> --></a>', '<a></a>'],
  ['<a><![CDATA[ <b> <!-- ]]><c/><!-- ]]> --></a>', '<a><c/></a>'],
  ['<a><!--<!-- <b> --><c/>--></a>', '<a><c/>--></a>'],
  ['<a><!--></a>', '<a><!--></a>'],
  ['<!-- 1 --><a/><![CDATA[ <b>', '<a/><![CDATA[ <b>'],
])('comments and CDATA sections of %s are removed', (xml, rest) => {
  expect(withoutCharacterData(xml)).toBe(rest)
})

it('S-32: beginnings without an end take no longer than other text', { timeout: 20_000 }, () => {
  const beginnings = '<!--<![CDATA['.repeat(50_000)
  expect(withoutCharacterData(beginnings)).toBe(beginnings)
})
