import type { Octavo, RequestState } from '@octavo/core'
import type { Routes } from '@octavo/server'
import { LRUCache } from 'lru-cache'
import { callerView } from './caller-view.ts'
import { openApiDocument } from './document/document.ts'
import type { OpenApiOptions } from './options.ts'

/** Descriptions in memory, one for each set of rights; far more than a server has roles. */
const maxDescriptions = 200

type View = Pick<Parameters<typeof openApiDocument>[1], 'endpoints' | 'visible' | 'writable' | 'isForCaller'>

/** The descriptions of the API as JSON, cached until `clear`. */
export class Descriptions {
  readonly #octavo: () => Octavo
  readonly #options: OpenApiOptions
  readonly #cache = new LRUCache<string, string>({ max: maxDescriptions })

  constructor(octavo: () => Octavo, options: OpenApiOptions) {
    this.#octavo = octavo
    this.#options = options
  }

  /** The description of all operations. */
  all(routes: Routes): string {
    return this.#describe('all', { endpoints: routes.endpoints() })
  }

  /** The description of the operations that the caller may use. */
  async of(routes: Routes, state: RequestState): Promise<string> {
    const view = await callerView(this.#octavo(), routes, state)
    return this.#describe(view.key, { ...view, isForCaller: true })
  }

  /** Call it after a change of the content-types. */
  clear(): void {
    this.#cache.clear()
  }

  #describe(key: string, { endpoints, visible, writable, isForCaller = false }: View): string {
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const view = { endpoints, isForCaller, ...(visible && { visible }), ...(writable && { writable }) }
    const text = JSON.stringify(openApiDocument(this.#octavo(), { ...this.#options, ...view }))
    this.#cache.set(key, text)
    return text
  }
}
