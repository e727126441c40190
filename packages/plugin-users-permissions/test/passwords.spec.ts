import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
let token: string
beforeAll(async () => {
  site = await openSite()
  token = await site.login('ada')
})
afterAll(() => site.close())

/** The places of the mistakes of a refused change. */
async function mistakesIn(body: object): Promise<readonly string[]> {
  const answer = await site.api.post('/api/auth/change-password', { token, body })
  expect([answer.status, answer.body.error.name]).toEqual([400, 'ValidationError'])
  return answer.body.error.details.errors.map((one: { readonly path: readonly string[] }) =>
    one.path.join('.'),
  )
}

it('a change of a password names each mistake at once, the repetition among them', async () => {
  const currentPassword = 'Password123'
  const each = ['password', 'passwordConfirmation']
  for (const password of [null, 1.5, {}, 'a'])
    expect(
      await mistakesIn({ currentPassword, password, passwordConfirmation: 'Password456' }),
      String(password),
    ).toEqual(each)
  expect(
    await mistakesIn({ currentPassword, password: 'Password456', passwordConfirmation: 'Password4567' }),
  ).toEqual(['passwordConfirmation'])
  expect(await mistakesIn({ password: 'a', passwordConfirmation: 'a' })).toEqual([
    'currentPassword',
    'password',
  ])
  expect(await mistakesIn({})).toEqual(['currentPassword', ...each])
})
