import { type BlocksContent, BlocksRenderer } from '@strapi/blocks-react-renderer'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

it('@strapi/blocks-react-renderer renders rich text from the answers', async () => {
  const answer = await fetch(`${site.url}/api/articles/1?fields[0]=text`)
  const { data } = (await answer.json()) as { data: { attributes: { text: BlocksContent } } }
  expect(renderToStaticMarkup(createElement(BlocksRenderer, { content: data.attributes.text }))).toBe(
    '<h2>On bold words</h2><p>A <strong>bold</strong> word, and a <a href="https://example.org">link</a></p><ul><li>One</li></ul>',
  )
})
