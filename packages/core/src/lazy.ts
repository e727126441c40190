/**
 * A value that is made for the first caller, and shared by all others. A failure is answered to the callers that wait for it; the next one
 * makes the value again, so that a short absence of the database or of a file ends with it.
 */
export class Lazy<T> {
  readonly #make: () => Promise<T>
  #made: Promise<T> | undefined

  constructor(make: () => Promise<T>) {
    this.#make = make
  }

  get(): Promise<T> {
    if (this.#made) return this.#made
    const making = this.#make()
    this.#made = making
    making.catch(() => {
      if (this.#made === making) this.#made = undefined
    })
    return making
  }

  /** Makes the next caller make the value again. */
  forget(): void {
    this.#made = undefined
  }
}
