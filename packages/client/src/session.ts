/** The tokens of a login. */
export interface Session {
  readonly jwt: string
  /** With the option `refreshTokens` of the server. */
  readonly refreshToken?: string
}

/** The place in which a session is stored. */
export interface SessionStore {
  get(): Session | undefined | Promise<Session | undefined>
  /** `undefined` when the session has ended. */
  set(session: Session | undefined): void | Promise<void>
}

/** The methods of a storage that `webSession` uses. Servers and workers have no type `Storage`. */
interface TextStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Stores the session in memory: it ends with the page or the process. */
export function memorySession(session?: Session): SessionStore {
  let current = session
  return {
    get: () => current,
    set: (next) => {
      current = next
    },
  }
}

/**
 * Stores the session in `localStorage` or `sessionStorage`. Scripts of the page can read it there.
 *
 * @param key Default `octavo`. Clients of different servers need different keys.
 */
export const webSession = (storage: TextStorage, key = 'octavo'): SessionStore => ({
  get: () => read(storage.getItem(key)),
  set: (session) => (session ? storage.setItem(key, JSON.stringify(session)) : storage.removeItem(key)),
})

/** `undefined` for anything that is not a session. */
export function read(text: string | null): Session | undefined {
  try {
    const session = JSON.parse(text ?? 'null') as Partial<Session> | null
    return typeof session?.jwt === 'string' ? (session as Session) : undefined
  } catch {
    return undefined
  }
}

/** Milliseconds for which a refresh token stays claimed after its use: until then, every tab has the new session. */
const claimed = 5_000
/** Milliseconds between two looks at the storage, while another tab renews the session. */
const interval = 50

/** Renews the session of a store. */
export class Renewal {
  readonly #store: SessionStore
  readonly #exchange: (refreshToken: string) => Promise<Session | undefined>
  #running: Promise<string | undefined> | undefined

  /** @param exchange Gives the next session; `undefined` when the refresh token is refused. */
  constructor(store: SessionStore, exchange: (refreshToken: string) => Promise<Session | undefined>) {
    this.#store = store
    this.#exchange = exchange
  }

  /**
   * @param refused The token that the server has refused.
   * @returns the token of the renewed session; `undefined` when the session has ended
   */
  renew(refused: string): Promise<string | undefined> {
    // A refresh token works once, and a second use ends the session: calls at the same time share one renewal.
    this.#running ??= this.#renew(refused).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #renew(refused: string): Promise<string | undefined> {
    for (;;) {
      const session = await this.#store.get()
      // Another tab has renewed it, or the user has logged in again or out.
      if (session?.jwt !== refused) return session?.jwt
      const { refreshToken } = session
      const release = refreshToken === undefined ? () => {} : await claim(refreshToken)
      if (release) {
        try {
          const next = refreshToken === undefined ? undefined : await this.#exchange(refreshToken)
          const present = await this.#store.get()
          // The user may have logged out or in again meanwhile.
          const isStored = present?.jwt === refused
          if (isStored) await this.#store.set(next)
          release(claimed)
          return (isStored ? next : present)?.jwt
        } catch (error) {
          release(0)
          throw error
        }
      }
      await new Promise((resolve) => setTimeout(resolve, interval))
    }
  }
}

/**
 * Claims a refresh token among the tabs of a site. The tabs share the storage, but a tab may see a change late, and would
 * use a token that another one has used. Locks are the same for all tabs at once.
 *
 * @returns a function that gives the token back after a number of milliseconds; `undefined` when another tab has claimed it
 */
async function claim(refreshToken: string): Promise<((ms: number) => void) | undefined> {
  const { document, navigator } = globalThis
  if (!document || !navigator?.locks) return () => {}
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`octavo ${refreshToken}`, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(undefined)
        return new Promise<void>((release) => resolve((ms) => void setTimeout(release, ms)))
      })
      .catch(reject)
  })
}
