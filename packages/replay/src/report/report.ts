import type { Difference } from '../compare.ts'

/** Differences of one cause in the answers of one content-type. */
export interface DifferenceGroup {
  /** The first segment of the path below `/api`, or the path's own first segment. */
  readonly contentType: string
  readonly kind: Difference['kind']
  readonly at: string
  /** Requests with this difference. */
  readonly requests: number
  /** The first requests, with the value of each server. */
  readonly examples: readonly { readonly path: string; readonly old: string; readonly new: string }[]
}

/** Milliseconds. */
export interface ServerTimes {
  readonly p50: number
  readonly p95: number
}

export interface ReplayReport {
  readonly old: string
  readonly new: string
  /** Distinct requests that were sent. */
  readonly requests: number
  readonly different: number
  /** Most requests first. */
  readonly groups: readonly DifferenceGroup[]
  readonly times: { readonly old: ServerTimes; readonly new: ServerTimes }
}

const examplesOfEach = 3

/** Collects the results of a replay. */
export class Findings {
  readonly #groups = new Map<
    string,
    { requests: number; group: DifferenceGroup; examples: DifferenceGroup['examples'][number][] }
  >()
  readonly #old: number[] = []
  readonly #new: number[] = []
  #requests = 0
  #different = 0

  get requests(): number {
    return this.#requests
  }

  add(
    path: string,
    differences: readonly Difference[],
    times: { readonly old: number; readonly new: number },
  ): void {
    this.#requests += 1
    this.#old.push(times.old)
    this.#new.push(times.new)
    if (differences.length > 0) this.#different += 1
    const seen = new Set<string>()
    for (const { kind, at, old, new: now } of differences) {
      const contentType = contentTypeOf(path)
      const key = JSON.stringify([contentType, kind, at])
      // A list in which every entry differs in the same place is one request with that difference.
      if (seen.has(key)) continue
      seen.add(key)
      const known = this.#groups.get(key) ?? {
        requests: 0,
        group: { contentType, kind, at, requests: 0, examples: [] },
        examples: [],
      }
      known.requests += 1
      if (known.examples.length < examplesOfEach) known.examples.push({ path, old, new: now })
      this.#groups.set(key, known)
    }
  }

  report(old: string, now: string): ReplayReport {
    const groups = [...this.#groups.values()].map(({ group, requests, examples }) => ({
      ...group,
      requests,
      examples,
    }))
    return {
      old,
      new: now,
      requests: this.#requests,
      different: this.#different,
      groups: groups.toSorted((a, b) => b.requests - a.requests),
      times: { old: timesOf(this.#old), new: timesOf(this.#new) },
    }
  }
}

function contentTypeOf(path: string): string {
  const [first = '', second = ''] = path.split(/[/?]/).filter(Boolean)
  return first === 'api' ? second : first
}

function timesOf(values: readonly number[]): ServerTimes {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50: rounded(at(0.5)), p95: rounded(at(0.95)) }
}

const rounded = (value: number): number => Math.round(value * 10) / 10
