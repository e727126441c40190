import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DiskEvent, decode } from './disk-event.ts'

/** A file: its bytes on the disk, and the operations that may be on the disk or not. */
interface File {
  bytes: Buffer
  pending: Change[]
}

type Change =
  | { readonly at: number; readonly bytes: Buffer }
  /** The new length. */
  | { readonly length: number }

/** A change of names, which a journal of the file system keeps in order. */
type NameChange = (names: Map<string, File | 'folder'>) => void

/**
 * A disk as a power cut leaves it. Written bytes are on it after a flush of their file, which also puts all earlier changes of names on it, as
 * the journals of ext4 and XFS do. Of the rest any part may be on it: any blocks of the bytes, and the changes of names up to any one.
 */
export class Disk {
  readonly #now: Map<string, File | 'folder'>
  readonly #kept: Map<string, File | 'folder'>
  #changes: NameChange[] = []
  /** The flushes on their way: the changes of the file and of names before each. */
  readonly #flushes = new Map<
    number,
    { file: File | undefined; changes: number; names: readonly NameChange[] }
  >()

  private constructor(names: Map<string, File | 'folder'>) {
    this.#now = names
    this.#kept = new Map(names)
  }

  /** A disk on which a folder is as it is now. */
  static async of(folder: string): Promise<Disk> {
    const names = new Map<string, File | 'folder'>()
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(folder.length + 1)
      if (entry.isDirectory()) names.set(name, 'folder')
      else if (!name.startsWith('octavo.')) names.set(name, { bytes: await readFile(path), pending: [] })
    }
    return new Disk(names)
  }

  async replay(record: string): Promise<void> {
    for (const [event, bytes] of decode(await readFile(record))) this.apply(event, bytes)
  }

  apply(event: DiskEvent, bytes: Buffer = Buffer.alloc(0)): void {
    const { name } = event
    if (event.kind === 'rename') this.#move(event.from, name)
    else if (event.kind === 'flush') this.#flush(name, event.flush)
    else if (event.kind === 'flushed') this.#flushed(event.flush)
    else if (event.kind === 'write')
      this.#file(name).pending.push({ at: event.at, bytes: Buffer.from(bytes) })
    else if (event.kind === 'truncate') this.#file(name).pending.push({ length: event.length })
    else if (event.kind === 'create') this.#file(name).pending.push({ length: 0 })
    else if (event.kind === 'mkdir') this.#rename((names) => void names.set(name, 'folder'))
    else this.#rename((names) => void names.delete(name))
  }

  /**
   * Writes the folder that a power cut leaves.
   * @param random Numbers from 0 to 1, by which it is decided what of the rest is on the disk.
   */
  async cut(folder: string, random: () => number): Promise<void> {
    const names = new Map(this.#kept)
    for (const change of this.#changes.slice(0, Math.floor(random() * (this.#changes.length + 1))))
      change(names)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    for (const [name, file] of names) {
      const path = join(folder, name)
      if (file === 'folder') await mkdir(path, { recursive: true })
      else {
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, torn(file, random))
      }
    }
  }

  #file(name: string): File {
    const found = this.#now.get(name)
    if (found && found !== 'folder') return found
    const file: File = { bytes: Buffer.alloc(0), pending: [] }
    this.#rename((names) => void names.set(name, file))
    return file
  }

  #move(from: string, name: string): void {
    const file = this.#now.get(from)
    this.#rename((names) => {
      names.delete(from)
      if (file) names.set(name, file)
    })
  }

  #rename(change: NameChange): void {
    change(this.#now)
    this.#changes.push(change)
  }

  #flush(name: string, flush: number): void {
    const found = this.#now.get(name)
    const file = found === 'folder' ? undefined : found
    this.#flushes.set(flush, { file, changes: file?.pending.length ?? 0, names: [...this.#changes] })
  }

  #flushed(flush: number): void {
    const begun = this.#flushes.get(flush)
    if (!begun) return
    this.#flushes.delete(flush)
    for (const change of begun.names)
      if (this.#changes[0] === change) {
        change(this.#kept)
        this.#changes.shift()
      }
    const { file } = begun
    if (!file) return
    const kept = file.pending.splice(0, begun.changes)
    for (const other of this.#flushes.values())
      if (other.file === file) other.changes = Math.max(other.changes - kept.length, 0)
    for (const change of kept) file.bytes = changed(file.bytes, change)
  }
}

const block = 4096

function torn(file: File, random: () => number): Buffer {
  let bytes: Buffer = Buffer.from(file.bytes)
  for (const change of file.pending) {
    if ('length' in change) {
      if (random() >= 0.5) bytes = changed(bytes, change)
      continue
    }
    for (let at = 0; at < change.bytes.length; at += block)
      if (random() >= 0.5)
        bytes = changed(bytes, { at: change.at + at, bytes: change.bytes.subarray(at, at + block) })
  }
  return bytes
}

function changed(bytes: Buffer, change: Change): Buffer {
  const end = 'length' in change ? change.length : change.at + change.bytes.length
  if ('length' in change && end < bytes.length) return Buffer.from(bytes.subarray(0, end))
  const grown = end > bytes.length ? Buffer.concat([bytes, Buffer.alloc(end - bytes.length)]) : bytes
  if (!('length' in change)) grown.set(change.bytes, change.at)
  return grown
}
