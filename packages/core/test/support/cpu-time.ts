/** Milliseconds of processor time that this process uses while `run` runs: a busy machine makes it wait, and adds little to it. */
export function cpuTime(run: () => void): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
