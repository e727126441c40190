import { type HeapProfiler, Session } from 'node:inspector/promises'

/** What a process has done; unlike a time, it does not depend on the machine or on other processes. */
export interface Work {
  /** Of JavaScript functions. */
  readonly calls: number
  /** Allocated, whether they were collected meanwhile or not; an estimate from samples. */
  readonly bytes: number
}

/** Counts the work of this process while `run` runs. A loop that neither calls nor allocates anything is not seen. */
export async function countWork(run: () => Promise<unknown>): Promise<Work> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 65_536,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    await session.post('Profiler.takePreciseCoverage')
    await run()
    const { profile } = await session.post('HeapProfiler.stopSampling')
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const counts = result.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0))
    return { calls: counts.reduce((sum, count) => sum + count, 0), bytes: bytesBelow(profile.head) }
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

const bytesBelow = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  children.reduce((sum, child) => sum + bytesBelow(child), selfSize)
