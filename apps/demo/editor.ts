import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import { createEditor } from '@octavo/plugin-editors'

/** Beside the database of the demo. */
const file = fileURLToPath(new URL('../../.octavo/demo-editor.txt', import.meta.url))
const email = 'editor@example.org'

/** The password of the editor: made once, so that each start prints the same one. */
function password(): string {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, randomBytes(9).toString('base64url'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8')
}

/** Makes an editor who may do everything, in development only, and prints how to sign in. */
export const demoEditor = (): Plugin =>
  definePlugin({
    name: 'demo-editor',
    // The first start would print a link for the first editor.
    before: ['editors'],
    setup(host) {
      if (process.env.NODE_ENV === 'production') return
      const octavo = host.start((running) => running)
      host.hook('server:listen', async (url) => {
        await createEditor(octavo(), { email, password: password(), firstname: 'Ed', lastname: 'Library' })
        host.logger.info(
          { desk: `${url}/desk`, email, password: password() },
          'The demo has an editor, in development only',
        )
      })
    },
  })
