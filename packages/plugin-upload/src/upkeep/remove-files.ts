import path from 'node:path'
import { type Row, sql } from '@octavo/core'
import { type EntryInput, type PluginHost, rowJson, type WriteEvent } from '@octavo/core/plugin'
import { fileUid } from '../content-type/file-type.ts'
import type { Files } from '../files/files.ts'
import type { Library } from '../files/library.ts'
import { type FileRow, keysOf } from '../files/record.ts'
import type { LaterFormats } from '../pictures/later-formats.ts'
import type { Variants } from '../pictures/variants.ts'

interface Running {
  readonly files: Files
  readonly later: LaterFormats
}

/** The attributes that the keys of a file follow from. */
const parts = ['hash', 'ext', 'formats'] as const

/** Removes the files of a row after the commit that deleted it or gave it other files, and starts pending formats. */
export function addFileRemoval(
  host: PluginHost,
  running: () => Running,
  library: Library,
  variants: Variants | undefined,
): void {
  const former = new WeakMap<EntryInput, readonly string[]>()
  const types = [fileUid]
  host.hook(
    'entry:statements',
    ({ type, input, written }) => {
      const row = rowJson(type, parts, 't')
      const from = sql`${written} as "w" join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id"`
      const receive = ([text]: Row): void => {
        const { hash, ext, formats } = JSON.parse(String(text)) as Pick<FileRow, (typeof parts)[number]>
        former.set(input, keysOf({ hash, ext, formats }))
      }
      return [{ when: 'before', statement: sql`select ${row} from ${from}`, receive }]
    },
    { types, when: ({ action }) => action !== 'create' },
  )
  const cleanUp = async ({ action, id, input, remains }: Omit<WriteEvent, 'entries'>): Promise<void> => {
    if (id === undefined) return
    const { files, later } = running()
    if (action !== 'delete' && typeof input.pendingFormats === 'string') later.add(id)
    const keys = former.get(input)
    if (!keys) return
    const outdated = async (): Promise<readonly string[]> => {
      const row = await files.findRow({ id })
      const current = row ? keysOf(row) : []
      return keys.filter((key) => !current.includes(key))
    }
    const [original = ''] = keys
    try {
      if (action === 'delete' && !remains) await library.discard(keys)
      // The next replacement waits: it may store a file under one of the keys.
      else if (parts.some((name) => Object.hasOwn(input, name)))
        await files.alone(id, async () => library.discard(await outdated()))
    } finally {
      await variants?.discard(path.basename(original, path.extname(original)))
    }
  }
  host.hook('entry:committed', cleanUp, { types })
}
