import { type Cause, causeOf, type Exchange, type Rank, ranks } from '../causes.ts'
import type { Difference } from '../compare.ts'

/** Requests whose answers differ for the same cause. */
export interface DifferenceGroup extends Cause {
  /** The first segments of their paths below `/api`, or the paths' own first segments, in the order of the log. */
  readonly contentTypes: readonly string[]
  readonly kind: Difference['kind']
  /** The place of the first difference: `data[*].attributes.title`. */
  readonly at: string
  /** Requests with this difference. */
  readonly requests: number
  /** The first requests, with the value of each server. */
  readonly examples: readonly Example[]
}

export interface Example extends Pick<Difference, 'old' | 'new' | 'onlyOld' | 'onlyNew'> {
  /** As in the log. */
  readonly path: string
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
  /** Requests whose answers differ in more than deliberate differences. */
  readonly different: number
  /** Requests whose answers differ in deliberate differences only. */
  readonly deliberate: number
  /** Broken ones first, deliberate ones last; most requests first among those of a rank. */
  readonly groups: readonly DifferenceGroup[]
  readonly times: { readonly old: ServerTimes; readonly new: ServerTimes }
}

const examplesOfEach = 3

interface OpenGroup extends Omit<DifferenceGroup, 'contentTypes' | 'examples' | 'requests'> {
  readonly contentTypes: Set<string>
  readonly examples: Example[]
  requests: number
}

/** Collects the results of a replay. */
export class Findings {
  readonly #groups = new Map<string, OpenGroup>()
  readonly #old: number[] = []
  readonly #new: number[] = []
  #requests = 0
  #different = 0
  #deliberate = 0

  /** @param differences The differences between the answers of the exchange. */
  add(
    exchange: Exchange,
    differences: readonly Difference[],
    times: { readonly old: number; readonly new: number },
  ): void {
    this.same(times)
    if (differences.length === 0) return
    const causes = differences.map((difference) => causeOf(difference, exchange))
    // Other entries on the page of an unsorted list also have another number of pages and the like.
    if (causes.every(({ rank }) => rank === 'deliberate')) this.#deliberate += 1
    else this.#different += 1
    const seen = new Set<OpenGroup>()
    for (const [i, difference] of differences.entries()) {
      const cause = causes[i]
      if (!cause) continue
      const group = this.#groupOf(cause, difference)
      // A list in which every entry differs in the same place is one request with that difference.
      if (seen.has(group)) continue
      seen.add(group)
      group.requests += 1
      group.contentTypes.add(contentTypeOf(exchange.path))
      const { kind: _, at: __, ...values } = difference
      if (group.examples.length < examplesOfEach) group.examples.push({ path: exchange.path, ...values })
    }
  }

  /** A request with one answer, or with two whose differences do not matter. */
  same(times: { readonly old: number; readonly new: number }): void {
    this.#requests += 1
    this.#old.push(times.old)
    this.#new.push(times.new)
  }

  #groupOf(cause: Cause, { kind, at }: Difference): OpenGroup {
    const key = `${cause.rank} ${cause.title}`
    const known = this.#groups.get(key)
    if (known) return known
    const group = { ...cause, kind, at, requests: 0, contentTypes: new Set<string>(), examples: [] }
    this.#groups.set(key, group)
    return group
  }

  report(old: string, now: string): ReplayReport {
    const groups = [...this.#groups.values()].map((group) => ({
      ...group,
      contentTypes: [...group.contentTypes],
    }))
    return {
      old,
      new: now,
      requests: this.#requests,
      different: this.#different,
      deliberate: this.#deliberate,
      groups: groups.toSorted((a, b) => placeOf(a.rank) - placeOf(b.rank) || b.requests - a.requests),
      times: { old: timesOf(this.#old), new: timesOf(this.#new) },
    }
  }
}

const placeOf = (rank: Rank): number => ranks.indexOf(rank)

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
