/**
 * Loaded into a server with `node --import`: writes down what it does to the files of a folder, and which of it is on the disk, for
 * {@link Disk}. `OCTAVO_RECORDED` is the folder, `OCTAVO_RECORD` the file of the record.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { relative, resolve } from 'node:path'
import { type DiskEvent, encode } from './disk-event.ts'

/** Node.js's own functions, which the recording ones call. */
const original = { ...fs }

const folder = process.env.OCTAVO_RECORDED
const record = process.env.OCTAVO_RECORD
// Octavo's own processes, for pictures for example, inherit the variables and write nothing into the folder.
if (folder !== undefined && record !== undefined) watch(resolve(folder), fs.openSync(record, 'a'))

function watch(folder: string, record: number): void {
  const names = new Map<number, string>()
  const nameOf = (path: unknown): string | undefined => {
    if (typeof path !== 'string') return undefined
    const name = relative(folder, resolve(path))
    return name === '' || name.startsWith('..') || name.startsWith('octavo.') ? undefined : name
  }
  const note = (event: DiskEvent, bytes?: Uint8Array): void => {
    for (const part of encode(event, bytes)) original.writeSync(record, part)
  }
  Object.assign(fs, { ...paths(nameOf, note), ...descriptors(names, nameOf, note), ...flushes(names, note) })
  syncBuiltinESMExports()
}

type NameOf = (path: unknown) => string | undefined
type Note = (event: DiskEvent, bytes?: Uint8Array) => void

/** The functions that take the path of a file. */
function paths(nameOf: NameOf, note: Note) {
  const noteOf = (path: unknown, event: (name: string) => DiskEvent, bytes?: Uint8Array): void => {
    const name = nameOf(path)
    if (name !== undefined) note(event(name), bytes)
  }
  return {
    writeFileSync(...args: Parameters<typeof fs.writeFileSync>) {
      original.writeFileSync(...args)
      noteOf(args[0], (name) => ({ kind: 'create', name }))
      noteOf(args[0], (name) => ({ kind: 'write', name, at: 0 }), Buffer.from(args[1] as string))
    },
    truncateSync(path: string, length = 0) {
      original.truncateSync(path, length)
      noteOf(path, (name) => ({ kind: 'truncate', name, length }))
    },
    mkdirSync(...args: Parameters<typeof fs.mkdirSync>) {
      const made = original.mkdirSync(...args)
      noteOf(args[0], (name) => ({ kind: 'mkdir', name }))
      return made
    },
    rmdirSync(path: string) {
      original.rmdirSync(path)
      noteOf(path, (name) => ({ kind: 'remove', name }))
    },
    unlinkSync(path: string) {
      original.unlinkSync(path)
      noteOf(path, (name) => ({ kind: 'remove', name }))
    },
    renameSync(from: string, to: string) {
      original.renameSync(from, to)
      const name = nameOf(to)
      if (name !== undefined) noteOf(from, (from) => ({ kind: 'rename', from, name }))
    },
  }
}

/** The functions that open, write and close a file. */
function descriptors(names: Map<number, string>, nameOf: NameOf, note: Note) {
  return {
    openSync(...args: Parameters<typeof fs.openSync>) {
      const descriptor = original.openSync(...args)
      const name = nameOf(args[0])
      if (name !== undefined) names.set(descriptor, name)
      return descriptor
    },
    closeSync(descriptor: number) {
      names.delete(descriptor)
      original.closeSync(descriptor)
    },
    writeSync(descriptor: number, ...args: [NodeJS.ArrayBufferView, number, number, number | null]) {
      const name = names.get(descriptor)
      const [buffer, offset, length, position] = args
      const at = position ?? (name === undefined ? 0 : original.fstatSync(descriptor).size)
      const written = original.writeSync(descriptor, buffer, offset, length, position)
      if (name !== undefined)
        note({ kind: 'write', name, at }, new Uint8Array(buffer.buffer, buffer.byteOffset + offset, written))
      return written
    },
  }
}

/** The functions that wait until the writes of a file are on the disk. */
function flushes(names: ReadonlyMap<number, string>, note: Note) {
  let count = 0
  const synced = (sync: (descriptor: number) => void) => (descriptor: number) => {
    const name = names.get(descriptor)
    const flush = ++count
    if (name !== undefined) note({ kind: 'flush', name, flush })
    sync(descriptor)
    if (name !== undefined) note({ kind: 'flushed', name, flush })
  }
  return {
    fsyncSync: synced(original.fsyncSync),
    fdatasyncSync: synced(original.fdatasyncSync),
    fdatasync(descriptor: number, done: fs.NoParamCallback) {
      const name = names.get(descriptor)
      const flush = ++count
      if (name !== undefined) note({ kind: 'flush', name, flush })
      original.fdatasync(descriptor, (error) => {
        if (name !== undefined && !error) note({ kind: 'flushed', name, flush })
        done(error)
      })
    },
  }
}
