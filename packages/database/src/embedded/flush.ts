import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { withPath } from '../error/full-disk.ts'

/**
 * Brings files to the disk, in groups: while one group is on its way, further requests wait for the next, so that many commits cost
 * one flush. The event loop does not wait.
 *
 * A failure is final: the content of the disk is unknown afterwards, and another flush may report success.
 */
export class Flush {
  /** Files of which something is not on its way to the disk yet. */
  #waiting = new Set<string>()
  /** Files on their way. */
  #running = new Set<string>()
  #run: Promise<void> | undefined
  /** The number of requests, and the number of those that are on the disk. */
  #requested = 0
  #done = 0
  #failure: Error | undefined
  readonly #descriptors = new Map<string, number>()
  #unused: number[] = []

  /** The error of a failed flush; every later answer has to be that error. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Notes that a file has to be on the disk before the next {@link done} resolves. */
  request(path: string): void {
    this.#requested++
    this.#waiting.add(path)
    if (!this.#descriptors.has(path)) this.#descriptors.set(path, openSync(path, 'r+'))
  }

  get isNeeded(): boolean {
    return this.#done < this.#requested
  }

  /** Resolves when everything requested so far is on the disk. @throws Error of the disk */
  async done(): Promise<void> {
    const wanted = this.#requested
    while (this.#done < wanted && !this.#failure) {
      this.#run ??= this.#start()
      await this.#run
    }
    if (this.#failure) throw this.#failure
  }

  /** Writes the changes to the disk at once, while the process waits. @throws Error of the disk */
  now(): void {
    if (this.#failure) throw this.#failure
    if (!this.isNeeded) return
    const paths = new Set([...this.#running, ...this.#waiting])
    let path = ''
    try {
      for (path of paths) fdatasyncSync(this.#descriptorOf(path))
    } catch (error) {
      throw this.#fail(withPath(error, path))
    }
    this.#waiting.clear()
    this.#done = this.#requested
  }

  /** Forgets a file that gets another name or is deleted. {@link now} has to come before. */
  forget(path: string): void {
    const descriptor = this.#descriptors.get(path)
    if (descriptor === undefined) return
    this.#descriptors.delete(path)
    this.#unused.push(descriptor)
    if (!this.#run) this.#closeUnused()
  }

  /** Closes the files, after the flush that is on its way. */
  async close(): Promise<void> {
    await this.#run
    for (const path of [...this.#descriptors.keys()]) this.forget(path)
  }

  async #start(): Promise<void> {
    const upTo = this.#requested
    this.#running = this.#waiting
    this.#waiting = new Set()
    try {
      await Promise.all(
        [...this.#running].map((path) =>
          toDisk(this.#descriptorOf(path)).catch((error: unknown) => {
            throw withPath(error, path)
          }),
        ),
      )
      this.#done = Math.max(this.#done, upTo)
    } catch (error) {
      this.#fail(error)
    }
    this.#running = new Set()
    this.#run = undefined
    this.#closeUnused()
  }

  #descriptorOf(path: string): number {
    const descriptor = this.#descriptors.get(path)
    if (descriptor === undefined) throw new Error(`${path} is not open`)
    return descriptor
  }

  #fail(error: unknown): Error {
    this.#failure ??= error instanceof Error ? error : new Error(String(error))
    return this.#failure
  }

  #closeUnused(): void {
    for (const descriptor of this.#unused) closeSync(descriptor)
    this.#unused = []
  }
}

const toDisk = (descriptor: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(descriptor, (error) => (error ? reject(error) : resolve())))
