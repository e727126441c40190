import { expect, it } from 'vitest'
import { enumValueName, isGraphqlName, pascalCase } from './names.ts'

it.each([
  ['users-permissions', 'UsersPermissions'],
  ['i18n', 'I18N'],
  ['component_shared.seo', 'ComponentSharedSeo'],
  ['blog-post', 'BlogPost'],
  ['someURLThing', 'SomeUrlThing'],
])('%s is %s as a type', (text, name) => {
  expect(pascalCase(text)).toBe(name)
})

it.each([
  ['In review', 'In_review'],
  ['Café & bar', 'Cafe_and_bar'],
  ['4 stars', '4_stars'],
  ['бензин', 'benzin'],
])('%s is %s as a value', (text, name) => {
  expect(enumValueName(text)).toBe(name)
})

it('Names of GraphQL begin with no digit and not with two underscores', () => {
  expect(['a', '_a1', '1a', '__a', 'a-b', ''].map(isGraphqlName)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
