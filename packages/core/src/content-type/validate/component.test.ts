import { describe, expect, it } from 'vitest'
import {
  type Attributes,
  build,
  expectMistakes,
  type MistakeCases,
  one,
  part,
  type,
} from '../../../test/support/definitions.ts'

describe('buildRegistry refuses, in a component or dynamic zone', () => {
  const article = (attributes: Attributes, keys: object = {}) => [type('article', attributes, keys)]

  const cases: MistakeCases = {
    'an unknown component': [
      article({
        a: one('shared.soe'),
        z: { type: 'dynamiczone', components: ['shared.seo', 'shared.nope', 5] },
        n: { type: 'component' },
      }),
      [part('shared.seo')],
      /attributes\.a\.component: there is no component "shared\.soe"; did you mean "shared\.seo"\?/,
      /attributes\.z\.components\.1: there is no component "shared\.nope"/,
      /attributes\.z\.components\.2: must be the uid/,
      /attributes\.n\.component: must be the uid/,
    ],
    'a zone without a list': [
      article({ z: { type: 'dynamiczone', components: 'a.b' }, y: { type: 'dynamiczone' } }),
      [],
      /attributes\.z\.components: must list/,
      /attributes\.y\.components: must list/,
    ],
    'a component by a part of its uid': [
      article({ a: one('seo'), b: one('api::shared.seo'), z: { type: 'dynamiczone', components: ['Seo'] } }),
      [part('shared.seo')],
      /attributes\.a\.component: there is no component "seo"; did you mean "shared\.seo"\?/,
      /attributes\.b\.component: there is no component "api::shared\.seo"; did you mean "shared\.seo"\?/,
      /attributes\.z\.components\.0: there is no component "Seo"; did you mean "shared\.seo"\?/,
    ],
    'a component twice in a zone': [
      article({ z: { type: 'dynamiczone', components: ['a.b', 'a.b'] } }),
      [part('a.b')],
      /attributes\.z\.components\.1: "a\.b" is listed twice/,
    ],
    'bounds of a list': [
      article({ r: one('a.b', { repeatable: true, min: 3, max: 1 }), s: one('a.b', { repeatable: 'yes' }) }),
      [part('a.b')],
      /attributes\.s\.repeatable: must be true or false/,
      /attributes\.r\.min: must not be greater than max/,
    ],
    'a component without uid': [
      [],
      [{ attributes: {} }, part('noname'), part('a.b.c')],
      /^components\[0\]: uid: must look like shared\.seo/,
      /^noname: uid/,
      /^a\.b\.c: uid/,
    ],
  }

  it.each(Object.entries(cases))('%s', (_name, mistakes) => expectMistakes(mistakes))
})

it('A zone that lists no component is omitted with a warning', () => {
  const { registry, warnings } = build([
    type('article', { title: { type: 'string' }, z: { type: 'dynamiczone', components: [] } }),
  ])
  expect([...registry.contentType('api::article.article').attributes.keys()]).toEqual([
    ...['title', 'createdAt', 'updatedAt'],
  ])
  expect(warnings).toEqual([
    'the dynamic zone api::article.article.z is left out, since it lists no component',
  ])
})
