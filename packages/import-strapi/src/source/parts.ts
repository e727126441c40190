/**
 * The files with lines of an archive, which are numbered in each folder: `entities/entities_00001.jsonl`. Without one of them the rest
 * reads as a smaller project, whose links lead to entries that seem to be deleted.
 */
export class Parts {
  readonly #numbers = new Map<string, Set<number>>()

  note(path: string): void {
    const [, folder, number] = /^(\w+)\/\1_(\d+)\.jsonl$/.exec(path) ?? []
    if (folder === undefined) return
    this.#numbers.set(folder, (this.#numbers.get(folder) ?? new Set()).add(Number(number)))
  }

  /** The first file that is not there, and others need it. */
  missing(): string | undefined {
    for (const [folder, numbers] of this.#numbers) {
      // There may be more of them than a call takes arguments.
      const last = [...numbers].reduce((highest, number) => Math.max(highest, number))
      for (let number = 1; number < last; number++) if (!numbers.has(number)) return fileOf(folder, number)
    }
    return this.#numbers.has('links') && !this.#numbers.has('entities') ? fileOf('entities', 1) : undefined
  }
}

const fileOf = (folder: string, number: number): string =>
  `${folder}/${folder}_${String(number).padStart(5, '0')}.jsonl`
