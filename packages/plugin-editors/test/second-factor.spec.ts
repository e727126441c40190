import { testEngine } from '@octavo/testing'
import { Secret, TOTP } from 'otpauth'
import { afterEach, describe, expect, it } from 'vitest'
import { type DeskSite, openDesk, type Person, password } from './desk.ts'

let site: DeskSite
afterEach(() => site?.close())

/** The code that an app shows. @param steps 30 seconds each, from now; by default the next code, which is accepted as well. */
const codeOf = (secret: string, steps = 1): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

const current = { currentPassword: password }
const login = (email: string, code?: string) =>
  site.visitor().post('login', { email, password, ...(code !== undefined && { code }) })

/** Turns the second factor on with the present code of the app. */
async function turnOn(person: Person) {
  const { body } = await person.post('second-factor', current)
  const confirmed = await person.post('second-factor/confirm', { code: codeOf(body.secret, 0) })
  expect(confirmed.status).toBe(200)
  return { secret: body.secret as string, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

const code = (answer: { body: { error: { details: { code: string } } } }) => answer.body.error.details.code

describe('A second factor', () => {
  it('is asked for once a code was confirmed, and ends the other sessions', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const phone = await site.person('ada@example.org')
    expect((await ada.post('second-factor', { currentPassword: 'Wrong-1-word' })).status).toBe(400)
    const begun = await ada.post('second-factor', current)
    expect(begun).toMatchObject({ status: 201, body: { uri: expect.stringMatching(/^otpauth:\/\/totp\//) } })
    expect((await login('ada@example.org')).status).toBe(200)
    expect(code(await ada.post('second-factor/confirm', { code: '000000' }))).toBe('desk/bad-code')
    const { secret } = await turnOn(ada)
    expect((await phone.get('me')).status).toBe(401)
    expect((await ada.get('me')).body.person.secondFactor).toBe(true)
    expect((await ada.get('people/1')).body).toMatchObject({ secondFactor: true })
    expect(code(await login('ada@example.org'))).toBe('desk/code-required')
    expect(code(await ada.post('second-factor', current))).toBe('desk/second-factor-on')
    expect((await login('ada@example.org', codeOf(secret))).status).toBe(200)
    // Whoever does not know the password learns nothing about the second factor.
    const wrong = await site.visitor().post('login', { email: 'ada@example.org', password: 'Wrong-1-word' })
    expect(code(wrong)).toBe('desk/bad-credentials')
  })

  it('is changed with the password and a code, and ended by a manager with as many rights', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const { recoveryCodes } = await turnOn(ada)
    expect((await ada.post('second-factor/remove', current)).status).toBe(400)
    expect(code(await ada.post('second-factor/remove', { ...current, code: '123' }))).toBe('desk/bad-code')
    const mia = await site.hire('mia', [{ action: 'people' }]).catch(() => undefined)
    // Ada cannot sign in without a code, so nobody was hired.
    expect(mia).toBe(undefined)
    const renewed = await ada.post('second-factor/recovery-codes', { ...current, code: recoveryCodes[0] })
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    expect((await login('ada@example.org', recoveryCodes[1])).status).toBe(400)
    const [next] = renewed.body.recoveryCodes
    expect((await ada.post('second-factor/remove', { ...current, code: next })).status).toBe(200)
    await site.person('ada@example.org')
    const manager = await site.hire('mia', [{ action: 'people' }])
    expect((await manager.delete('people/1/second-factor')).status).toBe(403)
    await turnOn(manager)
    expect((await ada.delete('people/2/second-factor')).status).toBe(200)
    await site.person('mia@example.org')
  })

  it('is turned off on this machine by the command', async () => {
    site = await openDesk()
    await turnOn(await site.person('ada@example.org'))
    const printed: string[] = []
    const command = site.server.octavo.commands.get('editors reset')
    await command?.run(site.server.octavo, new Set(), (line) => printed.push(line), ['ada@example.org'])
    const token = printed[0]?.split('#')[1]
    expect((await site.visitor().post('accept', { token, password })).status).toBe(200)
    await site.person('ada@example.org')
  })
})

describe('S-60: A code of a second factor', () => {
  it('is accepted once, also of two attempts at the same time, and never an earlier one', async () => {
    site = await openDesk()
    const { secret, recoveryCodes } = await turnOn(await site.person('ada@example.org'))
    const now = codeOf(secret)
    const answers = await Promise.all([1, 2, 3].map(() => login('ada@example.org', now)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(code(await login('ada@example.org', codeOf(secret, 0)))).toBe('desk/bad-code')
    const recovery = await Promise.all([1, 2].map(() => login('ada@example.org', recoveryCodes[0])))
    expect(recovery.map(({ status }) => status).sort()).toEqual([200, 400])
    const stored = JSON.stringify(
      await site.server.octavo.store.query('select * from octavo_editor_recovery_codes'),
    )
    expect(stored).not.toContain(recoveryCodes[1])
  })

  it('is not guessed: after ten wrong ones none is compared for an hour, nor a right one', async () => {
    site = await openDesk()
    const { secret } = await turnOn(await site.person('ada@example.org'))
    for (let i = 0; i < 10; i++) expect((await login('ada@example.org', `00000${i}`)).status).toBe(400)
    expect((await login('ada@example.org', codeOf(secret))).status).toBe(429)
    await site.server.octavo.store.query(
      `update octavo_editor_second_factors set failed_at = now() - interval '61 minutes'`,
    )
    expect((await login('ada@example.org', codeOf(secret))).status).toBe(200)
  })

  it('of somebody else is none', async () => {
    site = await openDesk()
    const bob = await site.hire('bob', [])
    const { secret, recoveryCodes } = await turnOn(bob)
    await turnOn(await site.person('ada@example.org'))
    expect((await login('ada@example.org', codeOf(secret))).status).toBe(400)
    expect((await login('ada@example.org', recoveryCodes[0])).status).toBe(400)
    expect((await login('bob@example.org', recoveryCodes[0])).status).toBe(200)
  })
})

// The embedded database of tests ends with its server.
describe.runIf(testEngine() === 'postgresql')('S-60: The secret of an app', () => {
  const former: DeskSite[] = []
  afterEach(async () => {
    await site.close()
    for (const one of former.splice(0)) await one.close()
  })
  const [one, two] = [1, 2].map((n) =>
    Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 7 + n) % 256)).toString('base64'),
  ) as [string, string]
  const factor = async (): Promise<string> =>
    String((await site.server.octavo.store.query('select secret from octavo_editor_second_factors'))[0]?.[0])
  const reopen = async (encryptionKeys: readonly string[]): Promise<void> => {
    former.push(site)
    await site.server.close()
    site = await openDesk({ encryptionKeys }, { database: site.database }, false)
  }
  /** Accepts codes of the same step again, as if half a minute had passed. */
  const later = () => site.server.octavo.store.query('update octavo_editor_second_factors set last_step = 0')

  it('is encrypted with a key, and at the next sign-in where there was none, or an earlier one', async () => {
    site = await openDesk()
    const { secret } = await turnOn(await site.person('ada@example.org'))
    expect(await factor()).toBe(secret)
    const stored: string[] = []
    for (const keys of [[one], [two, one], [two]]) {
      await reopen(keys)
      await later()
      expect((await login('ada@example.org', codeOf(secret, 0))).status).toBe(200)
      stored.push(await factor())
      expect(stored.at(-1)).not.toContain(secret)
    }
    const [first, second, third] = stored.map((text) => text.split('.')[1])
    expect(first).not.toBe(second)
    expect(second).toBe(third)
  })

  it('is refused without its key in a clear way, and codes for recovery go on', async () => {
    site = await openDesk({ encryptionKeys: [one] })
    const { secret, recoveryCodes } = await turnOn(await site.person('ada@example.org'))
    const sealed = await factor()
    for (const keys of [[two], []]) {
      await reopen(keys)
      await later()
      expect(code(await login('ada@example.org', codeOf(secret, 0)))).toBe('desk/key-missing')
      expect((await login('ada@example.org', recoveryCodes.pop())).status).toBe(200)
      expect(await factor()).toBe(sealed)
    }
    await reopen([two, one])
    expect((await login('ada@example.org', codeOf(secret, 0))).status).toBe(200)
  })

  it('is of no use in the row of another person', async () => {
    site = await openDesk({ encryptionKeys: [one] })
    await site.hire('bob', [{ action: 'people' }])
    const { secret } = await turnOn(await site.person('bob@example.org'))
    await site.server.octavo.store.query(
      'update octavo_editor_second_factors set editor_id = 1, last_step = 0',
    )
    expect(code(await login('ada@example.org', codeOf(secret, 0)))).toBe('desk/key-missing')
  })
})
