import { describe, it } from 'vitest'
import {
  type Attributes,
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
    'an empty zone': [
      article({ z: { type: 'dynamiczone', components: [] }, y: { type: 'dynamiczone' } }),
      [],
      /attributes\.z\.components: must list/,
      /attributes\.y\.components: must list/,
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
