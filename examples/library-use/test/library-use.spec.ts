import { afterAll, expect, it } from 'vitest'
import { server } from '../src/main.ts'

afterAll(() => server.close())

it('The program answers at its address', async () => {
  const answer = await (await fetch('http://localhost:1337/api/articles')).json()
  expect(answer).toMatchObject({
    data: [{ id: 1, attributes: { title: 'First light' } }],
    meta: { pagination: { total: 1 } },
  })
})
