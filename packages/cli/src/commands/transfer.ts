import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createOctavo, exportData, importData } from '@octavo/core'
import { withPath } from '@octavo/core/internal'
import { octavoOptions } from '@octavo/server'
import { counted } from '../counted.ts'
import { createLogger } from '../logger.ts'
import { reportOutput } from '../output.ts'
import { progress } from '../progress.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { answerSignals, end, endBy } from '../signals.ts'
import { UsageError } from '../usage-error.ts'
import { replaceBy } from '../write-whole.ts'

/** `octavo import FILE`, in one transaction. `-` is the standard input. */
export async function importFile(file: string, flags: CommonFlags): Promise<void> {
  const octavo = await open(flags)
  const bar = await progress()
  try {
    const { entries, sections, leftOut } = await importData(octavo, file, { onProgress: bar.update })
    bar.end()
    const from = file === '-' ? 'the standard input' : file
    const others = Object.entries(sections).map(([section, count]) => `, ${section} (${count})`)
    console.log(`${counted(entries, 'entry', 'entries')}${others.join('')} imported from ${from}`)
    for (const [what, count] of Object.entries(leftOut)) console.log(`Left out: ${what} (${count})`)
  } finally {
    bar.end()
    await octavo.close()
  }
}

export interface ExportFlags extends CommonFlags {
  readonly format: string
  readonly media: string
}

/** `octavo export FILE --format strapi`: an archive for `strapi import`. */
async function exportArchive(file: string, { media, ...flags }: ExportFlags): Promise<void> {
  if (!file.endsWith('.tar.gz'))
    throw new UsageError(`strapi import requires an archive name that ends in .tar.gz, not ${file}`)
  await refuseUnwritable(file, 'replace')
  const { exportStrapi } = await import('@octavo/import-strapi')
  const octavo = await open(flags)
  try {
    const { entries, links, missing } = await exportStrapi(octavo, file, {
      media,
      signal: stopped(isAsBefore(file)),
    })
    console.log(`${counted(entries, 'entry', 'entries')} and ${counted(links, 'link')} exported to ${file}`)
    for (const name of missing) console.log(`${name} is not in ${media}: the archive is without it`)
  } finally {
    await octavo.close()
  }
}

/** `octavo export FILE --format NAME`. */
export async function exportTo(file: string, flags: ExportFlags): Promise<void> {
  if (flags.format === 'strapi') return exportArchive(file, flags)
  if (flags.format !== 'octavo') throw new UsageError(`--format is octavo or strapi, not "${flags.format}"`)
  await exportFile(file, flags)
}

/**
 * `octavo export FILE`: writes a temporary file first, so that an existing file is replaced only by a complete one. `-` is the
 * standard output.
 */
async function exportFile(file: string, flags: CommonFlags): Promise<void> {
  if (file === '-') return exportToStdout(flags)
  await refuseUnwritable(file, 'replace')
  const octavo = await open(flags)
  const signal = stopped(isAsBefore(file))
  const unfinished = `${file}.${process.pid}.part`
  // The file has hashes of passwords, so a new one is for its owner only. A file that is replaced keeps the mode that somebody gave it.
  const out = createWriteStream(unfinished, { mode: 0o600 })
  const failed = once(out, 'error').then(([error]) => Promise.reject(withPath(error, unfinished)))
  // Only one of the two below waits for it.
  failed.catch(() => {})
  try {
    const write = (text: string) => {
      signal.throwIfAborted()
      return out.write(text) || once(out, 'drain')
    }
    await Promise.race([failed, exportData(octavo, write)])
    out.end()
    await Promise.race([failed, once(out, 'finish')])
    signal.throwIfAborted()
    await replaceBy(unfinished, file)
    console.log(`Exported to ${file}`)
  } catch (error) {
    out.destroy()
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await octavo.close()
  }
}

const isAsBefore =
  (file: string) =>
  (name: NodeJS.Signals): string =>
    `${name} stopped the export: ${file} is as it was before`

/** A first signal stops the export, which then removes what it has written so far. A second one ends the process. */
function stopped(message: (name: NodeJS.Signals) => string): AbortSignal {
  const controller = new AbortController()
  answerSignals((name) => {
    if (controller.signal.aborted) end(name)
    endBy(name)
    controller.abort(new UsageError(message(name)))
  })
  return controller.signal
}

async function exportToStdout(flags: CommonFlags): Promise<void> {
  const octavo = await open(flags)
  const signal = stopped((name) => `${name} stopped the export: its output is not complete`)
  const broken = new AbortController()
  process.stdout.on('error', (error) => broken.abort(error))
  try {
    await exportData(octavo, (text) => {
      signal.throwIfAborted()
      return process.stdout.write(text) || once(process.stdout, 'drain', { signal })
    })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (!broken.signal.aborted) throw error
    reportOutput()
    const { code, message } = broken.signal.reason as NodeJS.ErrnoException // of the stream
    const reason = code === 'EPIPE' ? 'nothing reads it any more' : message
    throw new UsageError(`The export is not complete: ${reason}`, { cause: broken.signal.reason })
  } finally {
    await octavo.close()
  }
}

async function open(flags: CommonFlags) {
  const { options } = await configured(flags, await createLogger(flags))
  return createOctavo(octavoOptions(options))
}
