import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import { createEditor } from '@octavo/plugin-editors'

/** Beside the database of the demo. */
const file = fileURLToPath(new URL('../../.octavo/demo-editor.txt', import.meta.url))
const email = 'editor@example.org'
const isDevelopment = process.env.NODE_ENV !== 'production'

/** The password of the editor: made once, so that each start prints the same one. */
function password(): string {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, randomBytes(9).toString('base64url'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8')
}

/** How to sign in at the desk, for the end of the start; nothing in production. */
export const signInNotes = (): readonly string[] =>
  isDevelopment
    ? [
        'Sign in at the desk as the editor of the demo (in development only):',
        `  email     ${email}`,
        `  password  ${password()}`,
      ]
    : []

/** Makes an editor who may do everything, in development only. */
export const demoEditor = (): Plugin =>
  definePlugin({
    name: 'demo-editor',
    // The first start would print a link for the first editor.
    before: ['editors'],
    setup(host) {
      if (!isDevelopment) return
      const octavo = host.start((running) => running)
      host.hook('server:listen', async () => {
        await createEditor(octavo(), { email, password: password(), firstname: 'Ed', lastname: 'Library' })
      })
    },
  })
