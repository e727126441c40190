/**
 * A process that decodes and encodes pictures and sanitises SVG files, started by {@link CodecProcesses}. It ends with the server. A
 * process can be killed at any time, unlike the threads that sharp uses.
 */
import { constants, setPriority } from 'node:os'
import type { CodecJob, JobResult } from './jobs.ts'

process.once('disconnect', () => process.exit())

const codec = import('./codec.ts').catch((error: NodeJS.ErrnoException): { run: () => JobResult } => {
  // Of Node.js, and of Yarn's Plug'n'Play. Core, which has a function for it, is not loaded into this process.
  const isMissing =
    ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(error.code ?? '') &&
    /'sharp'|access sharp\b/.test(error.message)
  return { run: () => (isMissing ? { kind: 'not-installed' } : { kind: 'failed', reason: error.message }) }
})

const answer = (message: JobResult | 'ready'): void => {
  // A server that was killed takes no answer, and this process may learn it here first.
  process.send?.(message, (error: Error | null) => error && process.exit())
}

// The parent sends one job at a time.
process.on('message', (job: CodecJob) => {
  void resultOf(job).then(answer)
})

/** SVG files are sanitised without sharp, by libraries that pictures do not need. */
async function resultOf(job: CodecJob): Promise<JobResult> {
  if (job.kind === 'sanitize') return (await import('./sanitize.ts')).sanitizeFile(job.file)
  return (await codec).run(job)
}

void codec.then(() => {
  // Requests come first where the cores are busy. Not before sharp is loaded: on a machine with far more work than cores that
  // would take minutes.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  answer('ready')
})
