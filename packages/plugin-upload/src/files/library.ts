import { stat, writeFile } from 'node:fs/promises'
import { hasUnknownOutcome, thrownText } from '@octavo/core/internal'
import type { StorageProvider } from '../storage/provider.ts'
import type { FileParts } from './record.ts'

/** Stores and deletes files with all their parts: everything or nothing. */
export class Library {
  readonly #provider: StorageProvider

  constructor(provider: StorageProvider) {
    this.#provider = provider
  }

  /** Stores all parts, or none when the provider fails. */
  async store(files: readonly FileParts[]): Promise<void> {
    const begun: string[] = []
    try {
      for (const { parts, mime } of files) {
        for (const { key, ...part } of parts) {
          // With the one that fails: a bucket may have stored it, although its answer was lost.
          begun.push(key)
          await this.#provider.put(key, { ...part, mime })
        }
      }
    } catch (error) {
      // A provider that is away removes nothing either; `octavo media check` finds what is left.
      await this.discard(begun).catch(() => {})
      throw error
    }
  }

  /** Stores files, then writes their rows: everything or nothing. No transaction waits for the provider. */
  async add<T>(files: readonly FileParts[], write: () => Promise<T>): Promise<T> {
    await this.store(files)
    try {
      return await write()
    } catch (error) {
      // The rows may exist: a file without a row costs space, a row without its file is a loss.
      if (!hasUnknownOutcome(error)) await this.discard(keysIn(files)).catch(() => {})
      throw error
    }
  }

  /**
   * Replaces a stored file, then writes its row, or leaves both as they were.
   * @param exists Whether there is still a row, which may be deleted at any time: its files go with it.
   */
  async replace<T>(file: FileParts, write: () => Promise<T>, exists: () => Promise<boolean>): Promise<T> {
    const former = await this.#copies(file)
    try {
      for (const { key, ...part } of file.parts) await this.#provider.put(key, { ...part, mime: file.mime })
      return await write()
    } catch (error) {
      const restored = async (): Promise<void> => {
        for (const [key, copy] of former) await this.#provider.put(key, { ...copy, mime: file.mime })
        const isThere = await exists()
        await this.discard(keysIn([file]).filter((key) => !(isThere && former.has(key))))
      }
      // A provider that fails again leaves what it has; the first error says why. A row that may be written has the new file.
      if (!hasUnknownOutcome(error)) await restored().catch(() => {})
      throw error
    }
  }

  /** Copies of the stored files whose keys the new file has as well. @throws Error for one that is not whole: it could not be put back */
  async #copies({
    parts,
  }: FileParts): Promise<ReadonlyMap<string, { readonly path: string; readonly size: number }>> {
    const copies = new Map<string, { readonly path: string; readonly size: number }>()
    for (const { key, path } of parts) {
      const found = await this.#provider.open(key)
      if (!found) continue
      await writeFile(`${path}.former`, found.stream)
      const { size } = await stat(`${path}.former`)
      if (size !== found.size)
        throw new Error(
          `The storage "${this.#provider.name}" gave ${size} bytes of ${key} in open, not ${found.size}`,
        )
      copies.set(key, { path: `${path}.former`, size: found.size })
    }
    return copies
  }

  /**
   * Deletes stored files by their keys. Each is tried, whatever the provider does with the others.
   *
   * @throws Error with the keys of the files that the provider has not deleted
   */
  async discard(keys: readonly string[]): Promise<void> {
    const failed: string[] = []
    let reason: unknown
    const remove = async (key: string): Promise<void> => {
      try {
        await this.#provider.delete(key)
      } catch (error) {
        reason ??= error
        failed.push(key)
      }
    }
    await Promise.all(keys.map(remove))
    if (failed.length === 0) return
    throw new Error(
      `The storage "${this.#provider.name}" has not deleted ${failed.sort().join(', ')} (octavo media check --delete removes such files): ${thrownText(reason)}`,
      { cause: reason },
    )
  }
}

/** The keys of all parts of files. */
export const keysIn = (files: readonly FileParts[]): readonly string[] =>
  files.flatMap(({ parts }) => parts.map(({ key }) => key))
