import { setTimeout as wait } from 'node:timers/promises'
import { definePlugin, type Plugin, tagsOfWrite } from '@octavo/core'

export interface PurgeOptions {
  /** Where the cache takes purges: `POST` with the tags in `Surrogate-Key`, spaces between. */
  readonly url: string
  /** Sent along, e.g. a token. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds in which tags are gathered, so that many writes make one request. Default 50. */
  readonly every?: number
  /** Times that a purge is tried. Default 5. */
  readonly attempts?: number
}

/** Tags of one request, at most: what Fastly takes. */
const atATime = 256

/**
 * Tells a cache before the server which answers a write has made stale. With `cache: { tags: 'Surrogate-Key' }` the answers
 * name what they depend on, and a write names the same.
 */
export const purge = ({ url, headers = {}, every = 50, attempts = 5 }: PurgeOptions): Plugin =>
  definePlugin({
    name: 'purge',
    setup(host) {
      const octavo = host.start((octavo) => octavo)
      const waiting = new Set<string>()
      let running: Promise<void> | undefined

      const send = async (tags: readonly string[]): Promise<void> => {
        for (let attempt = 1; ; attempt++) {
          try {
            const response = await fetch(url, {
              method: 'POST',
              headers: { ...headers, 'Surrogate-Key': tags.join(' ') },
              signal: AbortSignal.timeout(5_000),
            })
            if (response.ok) return
            throw new Error(`The cache answered ${response.status}`)
          } catch (error) {
            if (attempt >= attempts) throw error
            await wait(100 * 2 ** attempt)
          }
        }
      }
      const flush = async (): Promise<void> => {
        await wait(every)
        while (waiting.size > 0) {
          const tags = [...waiting].slice(0, atATime)
          for (const tag of tags) waiting.delete(tag)
          await send(tags).catch((error: unknown) =>
            host.logger.error({ err: error, tags }, 'A cache could not be told; it keeps stale answers'),
          )
        }
        running = undefined
      }

      host.hook('entry:committed', (event) => {
        for (const tag of tagsOfWrite(event, octavo().registry)) waiting.add(tag)
        running ??= flush()
      })
      host.hook('octavo:stop', () => running)
    },
  })
