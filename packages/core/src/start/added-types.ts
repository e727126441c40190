import type { Logger, OwnTable, Store, Transaction } from '@octavo/database'
import type { ContentTypeDefinition } from '../content-type/definition/definition.ts'
import { DefinitionError } from '../content-type/definition/definition-error.ts'
import type { ContentType, Registry } from '../content-type/model.ts'
import { checkComputed } from '../execute/check-computed.ts'
import type { Definitions } from '../hooks/definition-hooks.ts'
import { Retries } from '../host/retries.ts'
import type { Processes } from '../schema/processes.ts'
import {
  addedTypesChannel,
  definitionOf,
  definitionText,
  storedTypes,
  storeType,
} from '../schema/stored-types.ts'
import { updateSchema } from '../schema/update-schema.ts'

export interface AddedTypesParts {
  /** The definitions in code. */
  readonly definitions: Definitions
  readonly build: (definitions: Definitions) => Registry
  readonly tables: readonly OwnTable[]
  readonly processes: Processes
  readonly logger: Logger
}

/** The registry of the definitions in code and the stored ones. The maps have definitions as JSON, by uid. */
export interface Combined {
  readonly registry: Registry
  /** The stored definitions that the registry includes. */
  readonly used: ReadonlyMap<string, string>
  /** All stored definitions. */
  readonly found: ReadonlyMap<string, string>
}

/**
 * Adds the stored content-types to those in code, which win: a stored definition whose uid is in code is not used. A definition
 * that no longer fits, for example because code lost a type that it refers to, is left out, and an error is logged.
 *
 * @param base The registry of the definitions in code.
 */
export function withStoredTypes(
  { definitions, build, logger }: Omit<AddedTypesParts, 'processes'>,
  base: Registry,
  found: ReadonlyMap<string, string>,
): Combined {
  const added = new Map([...found].filter(([uid]) => !base.contentTypes.has(uid)))
  if (added.size === 0) return { registry: base, used: added, found }
  try {
    return { registry: build(withAll(definitions, added)), used: added, found }
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
  }
  let combined: Combined = { registry: base, used: new Map(), found }
  for (const [uid, text] of added) {
    const used = new Map([...combined.used, [uid, text]])
    try {
      combined = { registry: build(withAll(definitions, used)), used, found }
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error
      logger.error({ err: error, uid }, 'A content-type that was added at run time is left out')
    }
  }
  return combined
}

const withAll = (definitions: Definitions, added: ReadonlyMap<string, string>): Definitions => ({
  ...definitions,
  contentTypes: [...definitions.contentTypes, ...[...added.values()].map(definitionOf)],
})

/**
 * The content-types that are added while processes run. A definition is stored in the database in the transaction that makes
 * its tables; the other processes are notified, and read it from there. A process that may have missed a notification reads
 * all of them.
 */
export class AddedTypes {
  readonly #parts: AddedTypesParts
  readonly #store: Store
  readonly #base: Registry
  readonly #check: (type: ContentType) => Promise<void>
  readonly #use: (registry: Registry, changed: readonly ContentType[]) => Promise<void>
  #current: Combined
  /** Additions and readings of this process, one after another. */
  #last: Promise<unknown> = Promise.resolve()
  #isStopped = false
  readonly #retries = new Retries(() => void this.#readAgain())

  /**
   * @param base The registry of the definitions in code.
   * @param check Refuses a content-type before anything is stored.
   * @param use Replaces the registry; `changed` are the content-types that are new or have another definition.
   */
  constructor(
    parts: AddedTypesParts,
    store: Store,
    base: Registry,
    current: Combined,
    check: (type: ContentType) => Promise<void>,
    use: (registry: Registry, changed: readonly ContentType[]) => Promise<void>,
  ) {
    this.#parts = parts
    this.#store = store
    this.#base = base
    this.#current = current
    this.#check = check
    this.#use = use
  }

  /** Follows the additions of other processes. The embedded engine has none. */
  async follow(): Promise<void> {
    if (this.#store.engine !== 'postgresql') return
    await this.#store.listen(addedTypesChannel, () => {
      if (!this.#isStopped) void this.#readAgain()
    })
    // Between the start and the first `listen` a notification may have been missed.
    await this.#readAgain()
  }

  /** Reads what other processes have added, in turn. A failure is logged, and the reading is repeated later. */
  async #readAgain(): Promise<void> {
    try {
      await this.#inTurn(() => this.#read())
      this.#retries.succeeded()
    } catch (error) {
      this.#parts.logger.error({ err: error }, 'Added content-types could not be read')
      this.#retries.failed()
    }
  }

  /** Waits for readings that have begun; later notifications are ignored. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#retries.stop()
    await this.#last.catch(() => {})
  }

  /** @throws DefinitionError, SchemaError and the errors of `check`; nothing is stored then. */
  add(definition: ContentTypeDefinition): Promise<ContentType> {
    return this.#inTurn(async () => {
      for (;;) {
        await this.#read()
        const added = await this.#tryAdd(definition)
        if (added) return added
      }
    })
  }

  /** @returns `undefined` when another process stored a content-type meanwhile, which has to be read first. */
  async #tryAdd(definition: ContentTypeDefinition): Promise<ContentType | undefined> {
    const { definitions, build } = this.#parts
    const uid = definition.uid ?? `api::${definition.info?.singularName}.${definition.info?.singularName}`
    const others = new Map([...this.#current.used].filter(([key]) => key !== uid))
    // First, since it checks the definition.
    const registry = build({
      ...definitions,
      contentTypes: [...withAll(definitions, others).contentTypes, definition],
    })
    const type = registry.contentType(uid)
    const text = definitionText(definition)
    if (this.#current.used.get(uid) === text) return this.#current.registry.contentType(uid)
    await this.#check(type)
    const within = async (tx: Transaction): Promise<void> => {
      if (!this.#isKnown(await storedTypes(tx))) throw new Outdated()
      await checkComputed(registry, tx)
      await storeType(tx, uid, text)
    }
    try {
      await this.#updateSchema(registry, within)
    } catch (error) {
      if (error instanceof Outdated) return undefined
      throw error
    }
    const stored = [uid, text] as const
    await this.#change(
      { registry, used: new Map([...others, stored]), found: new Map([...this.#current.found, stored]) },
      [type],
    )
    return type
  }

  /** Reads what other processes have stored. */
  async #read(): Promise<void> {
    const found = await storedTypes(this.#store)
    if (this.#isKnown(found)) return
    const combined = withStoredTypes(this.#parts, this.#base, found)
    const before = this.#current.used
    const changed = [...combined.used].filter(([uid, text]) => before.get(uid) !== text)
    // Usually nothing is left to do; the processes may have different plugins.
    if (changed.length > 0) await this.#updateSchema(combined.registry)
    await this.#change(
      combined,
      changed.map(([uid]) => combined.registry.contentType(uid)),
    )
  }

  #isKnown(found: ReadonlyMap<string, string>): boolean {
    return [...found].every(([uid, text]) => this.#current.found.get(uid) === text)
  }

  async #updateSchema(registry: Registry, within?: (tx: Transaction) => Promise<void>): Promise<void> {
    const { tables, processes, logger } = this.#parts
    const { warnings } = await updateSchema(this.#store, registry, {
      tables,
      processes,
      ...(within && { within }),
    })
    for (const warning of warnings) logger.warn({}, warning)
  }

  async #change(combined: Combined, changed: readonly ContentType[]): Promise<void> {
    this.#current = combined
    await this.#use(combined.registry, changed)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.catch(() => {}).then(work)
    this.#last = result
    return result
  }
}

/** Rolls back an addition, because another process was faster. */
class Outdated extends Error {}
