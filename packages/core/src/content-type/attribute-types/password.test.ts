import { expect, it } from 'vitest'
import { password } from './password.ts'

it('a password is stored as a hash of bcrypt with the cost 10', async () => {
  expect(await password.hash?.('Password123')).toMatch(/^\$2[aby]\$10\$[./A-Za-z0-9]{53}$/)
})
