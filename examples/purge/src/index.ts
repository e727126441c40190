import { setTimeout as wait } from 'node:timers/promises'
import { definePlugin, type Plugin, tagsOfWrite } from '@octavo/core/plugin'

export interface PurgeOptions {
  /** URL for purges: `POST` with the tags in `Surrogate-Key`, separated by spaces. */
  readonly url: string
  /** Additional headers, e.g. a token. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds for which tags are collected, so that many writes make one request. Default 50. */
  readonly every?: number
  /** Maximum attempts of a purge. Default 5. */
  readonly attempts?: number
}

/** Maximum tags per request: the limit of Fastly. */
const atATime = 256

/**
 * Purges a cache in front of the server after each write. With `cache: { tags: 'Surrogate-Key' }` answers have tags, and
 * `tagsOfWrite` gives the tags of the answers that a write may have changed.
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
            host.logger.error({ err: error, tags }, 'A cache could not be purged; it serves stale responses'),
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
