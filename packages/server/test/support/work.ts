import { type HeapProfiler, Session } from 'node:inspector/promises'

/** What a process has done; unlike a time, it does not depend on the machine or on other processes. */
export interface Work {
  /** Of JavaScript functions. */
  readonly calls: number
  /** Allocated, whether they were collected meanwhile or not; an estimate from samples. */
  readonly bytes: number
}

/** Counts the work of this process while a function runs. A loop that neither calls nor allocates anything is not seen. */
export interface Counter {
  count(run: () => Promise<unknown>): Promise<Work>
  close(): Promise<void>
}

/** A counter for many runs: to begin and to end the counting of calls goes through all functions of the process, and throws away their optimised code. */
export async function openCounter(): Promise<Counter> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    count: async (run) => {
      await session.post('HeapProfiler.startSampling', {
        samplingInterval: 65_536,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      })
      await session.post('Profiler.takePreciseCoverage')
      const outcome = await Promise.allSettled([run()])
      const { profile } = await session.post('HeapProfiler.stopSampling')
      if (outcome[0].status === 'rejected') throw outcome[0].reason
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const counts = result.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0))
      return { calls: counts.reduce((sum, count) => sum + count, 0), bytes: bytesBelow(profile.head) }
    },
    close: async () => {
      await session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}

const bytesBelow = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  children.reduce((sum, child) => sum + bytesBelow(child), selfSize)
