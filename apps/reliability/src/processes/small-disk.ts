import { mkdtemp, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Identity, run } from './run-program.ts'

/** The system allows no mount. */
export class NotMounted extends Error {
  override readonly name = 'NotMounted'
}

/** A disk in memory, of a size that is soon full. */
export class SmallDisk {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Mounts one while `use` runs.
   * @param size As `mount` has it: `48m`.
   * @param owner Default: the present user.
   * @throws NotMounted
   */
  static async mounted<T>(
    size: string,
    owner: Identity | undefined,
    use: (disk: SmallDisk) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'octavo-disk-'))
    try {
      const of = owner ? `,uid=${owner.uid},gid=${owner.gid}` : ''
      const { code, output } = await run('mount', [
        '-t',
        'tmpfs',
        '-o',
        `size=${size}${of},mode=700`,
        'tmpfs',
        folder,
      ])
      if (code !== 0) throw new NotMounted(output.trim())
      try {
        return await use(new SmallDisk(folder))
      } finally {
        await run('umount', [folder])
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Writes until nothing fits any more. @param room Bytes that are left. Default 0. */
  async fill(room = 0): Promise<void> {
    await run('dd', ['if=/dev/zero', `of=${this.#ballast}`, 'bs=64k'])
    await run('dd', ['if=/dev/zero', `of=${this.#ballast}-2`, 'bs=1k'])
    if (room === 0) return
    const { size } = await stat(this.#ballast)
    await truncate(this.#ballast, Math.max(0, size - room))
  }

  /** Removes what {@link fill} wrote. */
  async empty(): Promise<void> {
    for (const file of [this.#ballast, `${this.#ballast}-2`]) await rm(file, { force: true })
  }

  get #ballast(): string {
    return join(this.folder, 'ballast')
  }
}
