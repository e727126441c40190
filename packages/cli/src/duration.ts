import { UsageError } from './usage-error.ts'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/** `500ms`, `5s`, `1m`; a number alone counts seconds. @returns milliseconds. @throws UsageError that names the option */
export function readDuration(option: string, text: string): number {
  const [, number, unit = 's'] = /^(\d{1,6})(ms|s|m)?$/.exec(text) ?? []
  if (number !== undefined) return Number(number) * (units[unit] ?? 0)
  throw new UsageError(`${option} is a time such as 500ms, 5s or 1m, not "${text}"`)
}
