import { ImportError, importStream, type Octavo } from '@octavo/core'
import { dataStream } from './load/stream.ts'
import { problemLine } from './plan/problem.ts'
import { type Scan, scan } from './plan/scan.ts'
import type { Outline, Source } from './source/source.ts'

export interface ImportStrapiOptions {
  /** Leaves out entries and links that cannot be imported. Default false: nothing is written when there are any. */
  readonly skipInvalid?: boolean
  /** Called now and then: entries so far, and the content-type. */
  readonly onProgress?: (step: ImportStep, done: number, label: string) => void
}

export type ImportStep = 'check' | 'write' | 'verify'

export interface ImportStrapiResult {
  /** Entries that were written, those of Octavo's own types included. */
  readonly entries: number
}

/** How many problems the message of an error lists. */
const listedProblems = 20

/**
 * Imports a project into an empty database: all of it or, when anything is wrong, nothing. Ids are kept.
 *
 * @throws ImportError that lists what cannot be imported, SourceError
 */
export async function importStrapi(
  octavo: Octavo,
  source: Source,
  outline: Outline,
  options: ImportStrapiOptions = {},
): Promise<ImportStrapiResult> {
  const { registry } = octavo
  const found = await scan(source, outline, registry, (done, label) =>
    options.onProgress?.('check', done, label),
  )
  try {
    if (!options.skipInvalid) refuseProblems(found)
    const { entries } = await importStream(octavo, dataStream(source, outline, registry, found), {
      onProgress: (done, label) => options.onProgress?.('write', done, label),
    })
    return { entries }
  } finally {
    found.close()
  }
}

function refuseProblems({ problems }: Scan): void {
  if (problems.count === 0) return
  const lines = [...problems.all(listedProblems)].map(problemLine)
  throw new ImportError(lines, problems.count > lines.length)
}
