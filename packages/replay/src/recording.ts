import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { ReplayError } from './replay-error.ts'
import type { Source, TimedAnswer } from './server.ts'

/** A line of a recording: a request and its answer. */
interface RecordedAnswer extends TimedAnswer {
  readonly path: string
}

/** Writes answers into a file of JSON lines. */
export interface Recorder {
  write(path: string, answer: TimedAnswer): Promise<void>
  end(): Promise<void>
}

/** @throws ReplayError when the file cannot be written, as by each method of the recorder. */
export async function recordTo(file: string): Promise<Recorder> {
  const out = createWriteStream(file)
  const guarded = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work
    } catch (error) {
      throw new ReplayError(`${file} cannot be written: ${(error as Error).message}`, { cause: error })
    }
  }
  await guarded(once(out, 'open'))
  // A disk is full at any time, also while nobody waits; the next write has the error, and so has the end.
  out.on('error', () => {})
  return {
    write(path, answer) {
      const line: RecordedAnswer = { path, ...answer }
      return guarded(new Promise((done) => out.write(`${JSON.stringify(line)}\n`, done)).then(throwIfError))
    },
    end: () => guarded(finished(out.end())),
  }
}

function throwIfError(error: unknown): void {
  if (error) throw error
}

/** The answers of a recording. @throws ReplayError for a file that is not a recording. */
export async function readRecording(file: string): Promise<Source & { readonly paths: readonly string[] }> {
  const answers = new Map<string, RecordedAnswer>()
  let count = 0
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      count += 1
      const answer = JSON.parse(line) as Partial<RecordedAnswer> | null
      if (typeof answer?.path !== 'string' || typeof answer.status !== 'number')
        throw new Error(`line ${count} has no recorded answer`)
      answers.set(answer.path, answer as RecordedAnswer)
    }
  } catch (error) {
    const reason = (error as Error).message // of the file system, of JSON, or from above
    throw new ReplayError(
      `${file} is no recording of replay: ${reason}. A server is given as http://host:port`,
      { cause: error },
    )
  }
  return { paths: [...answers.keys()], get: async (path) => answers.get(path) }
}
