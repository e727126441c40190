import type { JobResult } from './jobs.ts'

/** The result of a job that threw. Libraries tell by their words alone whether the file, the disk or the machine is at fault. */
export function failure(error: unknown): JobResult {
  const reason = error instanceof Error ? error.message : String(error)
  if (/exceeds pixel limit/i.test(reason)) return { kind: 'too-many-pixels' }
  if (/no space left|quota exceeded/i.test(reason)) return { kind: 'disk-full', reason }
  const isOfMachine = /permission denied|read-only file system|out of memory/i
  return { kind: isOfMachine.test(reason) ? 'failed' : 'broken', reason }
}
