import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestDatabase } from './database.ts'
import { testEngine } from './environment.ts'
import setup from './global-setup.ts'

const ways =
  /start Docker(.|\n)*OCTAVO_TEST_POSTGRES_IMAGE(.|\n)*OCTAVO_TEST_DATABASE_URL(.|\n)*OCTAVO_TEST_ENGINE=pglite/

beforeEach(() => {
  vi.stubEnv('OCTAVO_TEST_ENGINE', '')
  vi.stubEnv('OCTAVO_TEST_DATABASE_URL', '')
})
afterEach(() => void vi.unstubAllEnvs())

describe('the environment of the tests', () => {
  it('selects PostgreSQL by default', () => {
    expect(testEngine()).toBe('postgresql')
    vi.stubEnv('OCTAVO_TEST_ENGINE', 'pglite')
    expect(testEngine()).toBe('pglite')
  })

  it('refuses an unknown engine', () => {
    vi.stubEnv('OCTAVO_TEST_ENGINE', 'mysql')
    expect(testEngine).toThrow('OCTAVO_TEST_ENGINE is "mysql"; it may be postgresql or pglite.')
  })

  it('lists the settings of test runners without the global setup, which starts the container', async () => {
    await expect(createTestDatabase()).rejects.toThrow(
      /the vitest global setup, @octavo\/testing\/global-setup, did not run(.|\n)*other test runners(.|\n)*OCTAVO_TEST_DATABASE_URL(.|\n)*OCTAVO_TEST_ENGINE=pglite/,
    )
    // Docker would not help: nothing else starts it.
    await expect(createTestDatabase()).rejects.not.toThrow('Docker')
  })

  it('lists the settings, and hides the password, when the server does not answer', async () => {
    vi.stubEnv('OCTAVO_TEST_DATABASE_URL', 'postgres://me:secret@127.0.0.1:1/postgres')
    await expect(createTestDatabase()).rejects.toThrow(ways)
    await expect(createTestDatabase()).rejects.toThrow(
      'cannot connect to postgres://me:***@127.0.0.1:1/postgres',
    )
  })

  it('lists the settings when no container can be started for the requested engine', async () => {
    vi.stubEnv('OCTAVO_TEST_POSTGRES_IMAGE', 'localhost:1/no-such-image:0')
    vi.stubEnv('OCTAVO_TEST_ENGINE', 'postgresql')
    await expect(setup()).rejects.toThrow(ways)
  })

  it('uses PGlite and logs it when no container can be started and no engine is requested', async () => {
    vi.stubEnv('OCTAVO_TEST_POSTGRES_IMAGE', 'localhost:1/no-such-image:0')
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const stop = await setup()
    expect(testEngine()).toBe('pglite')
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('the tests run on PGlite'))
    await stop()
    expect(testEngine()).toBe('postgresql')
    warn.mockRestore()
  })

  it('starts no container when a server is named or the engine is PGlite', async () => {
    vi.stubEnv('OCTAVO_TEST_DATABASE_URL', 'postgres://127.0.0.1:1/postgres')
    await (await setup())()
    expect(process.env.OCTAVO_TEST_DATABASE_URL).toBe('postgres://127.0.0.1:1/postgres')
    vi.stubEnv('OCTAVO_TEST_DATABASE_URL', '')
    vi.stubEnv('OCTAVO_TEST_ENGINE', 'pglite')
    await (await setup())()
    expect(process.env.OCTAVO_TEST_DATABASE_URL).toBe('')
  })
})
