import type { ReplayReport } from '@octavo/replay'
import { progress } from '../progress.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { UsageError } from '../usage-error.ts'
import { writeWhole } from '../write-whole.ts'

export interface ReplayFlags {
  readonly old: string
  readonly new?: string
  readonly header?: readonly string[]
  readonly ignore?: readonly string[]
  readonly rate?: string
  readonly limit?: string
  readonly sample?: string
  readonly record?: string
  readonly html?: string
  readonly json?: string
}

/** Exit codes of `octavo replay`, so that scripts can distinguish a difference from a failed comparison. */
export const exitCodes = { different: 1, failed: 2 }

/** `octavo replay LOG`: compares the answers of two servers to the reads of a log. @throws UsageError */
export async function replayLog(log: string | undefined, flags: ReplayFlags): Promise<void> {
  const { htmlReport, replay, ReplayError, textReport } = await import('@octavo/replay')
  process.exitCode = exitCodes.failed
  for (const file of [flags.record, flags.html, flags.json])
    if (file !== undefined) await refuseUnwritable(file)
  const bar = await progress()
  let report: ReplayReport
  try {
    report = await replay({
      ...(log !== undefined && { log }),
      old: flags.old,
      ...(flags.new !== undefined && { new: flags.new }),
      headers: headersOf(flags.header ?? []),
      ignore: flags.ignore ?? [],
      ...(flags.record !== undefined && { record: flags.record }),
      ...(flags.rate !== undefined && { rate: numberOf('rate', flags.rate) }),
      ...(flags.limit !== undefined && { limit: numberOf('limit', flags.limit) }),
      ...(flags.sample !== undefined && { sample: numberOf('sample', flags.sample) }),
      onProgress: ({ done, total }) => bar.update(done, total, 'requests'),
    })
  } catch (error) {
    throw error instanceof ReplayError ? new UsageError(error.message, { cause: error }) : error
  } finally {
    bar.end()
  }
  if (flags.html !== undefined) await writeWhole(flags.html, htmlReport(report))
  if (flags.json !== undefined) await writeWhole(flags.json, `${JSON.stringify(report, null, 2)}\n`)
  if (flags.new === undefined) console.log(`${report.requests} answers recorded in ${flags.record}`)
  else console.log(textReport(report))
  process.exitCode = report.different > 0 ? exitCodes.different : 0
}

/** @throws UsageError */
function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined)
        throw new UsageError(`--header is written 'Name: value', not ${JSON.stringify(line)}`)
      return [name, value]
    }),
  )
}

/** @throws UsageError */
function numberOf(option: string, text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new UsageError(`--${option} is a number, not ${JSON.stringify(text)}`)
}
