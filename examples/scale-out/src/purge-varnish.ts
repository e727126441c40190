import { setTimeout as wait } from 'node:timers/promises'
import { definePlugin, type Plugin, tagsOfWrite } from '@octavo/core/plugin'

export interface PurgeVarnishOptions {
  /** The addresses of all caches, e.g. `http://cache-1:8000`. */
  readonly urls: readonly string[]
  /**
   * Milliseconds after which the same tags are purged again: a response that was being fetched during a write may arrive in the
   * cache after the first purge. Default 2,000.
   */
  readonly again?: number
  /** Maximum attempts of a purge. Default 5. */
  readonly attempts?: number
}

/** Maximum tags per request, so that the header fits into Varnish's default of 8 KiB. */
const atATime = 100

/** Purges the responses that a write may have changed from Varnish with the vmod xkey; see varnish.vcl. */
export const purgeVarnish = ({ urls, again = 2_000, attempts = 5 }: PurgeVarnishOptions): Plugin =>
  definePlugin({
    name: 'purge-varnish',
    setup(host) {
      const octavo = host.start((octavo) => octavo)
      const running = new Set<Promise<void>>()
      const stopping = new AbortController()
      /** Tags that wait for the purge that is about to start. */
      let next: Set<string> | undefined

      const send = async (url: string, tags: readonly string[]): Promise<void> => {
        for (let attempt = 1; ; attempt++) {
          try {
            const { ok, status } = await fetch(url, {
              method: 'PURGE',
              headers: { 'Surrogate-Key': tags.join(' ') },
              signal: AbortSignal.timeout(5_000),
            })
            if (ok) return
            throw new Error(`The cache answered ${status}`)
          } catch (error) {
            if (attempt >= attempts) throw error
            await wait(100 * 2 ** attempt)
          }
        }
      }
      const purge = async (tags: readonly string[]): Promise<void> => {
        for (let from = 0; from < tags.length; from += atATime) {
          const some = tags.slice(from, from + atATime)
          const sent = await Promise.allSettled(urls.map((url) => send(url, some)))
          for (const [i, result] of sent.entries())
            if (result.status === 'rejected')
              host.logger.error(
                { err: result.reason, url: urls[i], tags: some },
                'A cache could not be purged',
              )
        }
      }
      const twice = async (tags: ReadonlySet<string>): Promise<void> => {
        // The writes of one transaction are reported one after another.
        await wait(0)
        next = undefined
        await purge([...tags])
        await wait(again, undefined, { signal: stopping.signal }).catch(() => {})
        await purge([...tags])
      }

      host.hook('entry:committed', (event) => {
        const isNew = next === undefined
        next ??= new Set()
        for (const tag of tagsOfWrite(event, octavo().registry)) next.add(tag)
        if (!isNew) return
        const work = twice(next)
        running.add(work)
        void work.finally(() => running.delete(work))
      })
      host.hook('octavo:stop', async () => {
        stopping.abort()
        await Promise.all(running)
      })
    },
  })
