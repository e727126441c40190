/** The demo as a newcomer starts it: the command prints how to sign in, the overview leads to the desk, and the printed words open it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { chromiumOptions, chromiumPath, createTestDatabase, testEngine } from '@octavo/testing'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// The start of a process with an empty database takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const executablePath = chromiumPath()
const command = fileURLToPath(new URL('../../../packages/cli/src/bin.ts', import.meta.url))

/** Starts the demo on a database of its own. */
async function startDemo(variables: NodeJS.ProcessEnv = {}) {
  const database = await createTestDatabase()
  const { NODE_ENV: _, PORT: __, HOST: ___, ...others } = process.env
  const options = ['--port', '0', '--host', '127.0.0.1', '--drain', '0', '--log', 'pretty']
  const given = testEngine() === 'pglite' ? 'memory://' : database.url
  const child = spawn(
    process.execPath,
    ['--conditions=octavo-source', command, 'start', ...options, '--database', given],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...others, LOG_LEVEL: 'error', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const output = { out: '', err: '' }
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const ended = once(child, 'close')
  const printed = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output.out += chunk
      // The last line has the token of this start.
      if (/\?token=\S+\n/.test(output.out)) resolve(output.out)
    })
  })
  return {
    /** All that the command prints until it listens. */
    words: await Promise.race([
      printed,
      ended.then(() => Promise.reject(new Error(`The demo has ended: ${output.err}`))),
    ]),
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await database.drop()
    },
  }
}

describe.runIf(executablePath)('The start of the demo', () => {
  let demo: Awaited<ReturnType<typeof startDemo>>
  let browser: Browser
  beforeAll(async () => {
    demo = await startDemo()
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.close()
  })

  it('prints the desk and how to sign in, and the overview leads there', async () => {
    const { words } = demo
    const url = /listens on (\S+)/.exec(words)?.[1] ?? ''
    expect(words).toContain(`  ${url}/desk\n`)
    expect(words).toContain('Sign in at the desk as the editor of the demo (in development only):')
    const [email = '', password = ''] = ['email', 'password'].map(
      (name) => new RegExp(`^  ${name} +(\\S+)$`, 'm').exec(words)?.[1],
    )
    const page = await browser.newPage({ locale: 'en-GB' })
    await page.goto(url)
    await page.getByRole('link', { name: 'Desk' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Good to see you, Ed' }).waitFor()
    await page.getByRole('link', { name: 'Books', exact: true }).click()
    await page.getByRole('table').getByRole('link').first().waitFor()
    expect(page.url()).toMatch(/\/desk\/content\/books$/)
  })
})
