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

it('a password keeps the length that the project asks for, wherever it is set', async () => {
  const own = await openSite({
    user: { attributes: { password: { type: 'string', minLength: 11, private: false, regex: '[0-9]' } } },
  })
  const refusal = async (at: string, body: object, caller?: string) => {
    const { status, body: answer } = await own.api.post(at, { body, ...(caller && { token: caller }) })
    return [status, answer.error?.details.errors.map(({ message }: { readonly message: string }) => message)]
  }
  const short = [400, ['password must be at least 11 characters']]
  const email = 'new@example.org'
  expect(await refusal('/api/auth/local/register', { username: 'new', email, password: 'short 12' })).toEqual(
    short,
  )
  const ada = await own.login('ada')
  const change = { currentPassword: 'Password123', password: 'short 12', passwordConfirmation: 'short 12' }
  expect(await refusal('/api/auth/change-password', change, ada)).toEqual(short)
  const long = 'a long password'
  expect((await refusal('/api/auth/local/register', { username: 'new', email, password: long }))[0]).toBe(400)
  const made = await own.api.post('/api/auth/local/register', {
    body: { username: 'new', email, password: `${long} 1` },
  })
  expect([made.status, 'password' in made.body.user]).toEqual([200, false])
  await own.close()
})
