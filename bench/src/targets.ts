/** The targets of the benchmark. */
import { type Size, sizes } from './dataset.ts'

/** The sizes that are reported. */
export const reported = ['small', 'medium', 'large'] as const satisfies readonly Size[]
export type Reported = (typeof reported)[number]

const everywhere = (target: number): Record<Reported, number> => ({
  small: target,
  medium: target,
  large: target,
})

/** Requests a second as a multiple of those of hand-written SQL, at least; by the names of scenarios. */
export const targets: Readonly<Record<string, Readonly<Record<Reported, number>>>> = {
  'list of 25': { small: 0.95, medium: 8, large: 40 },
  'one by id': everywhere(0.88),
  'populate=*': { small: 1.2, medium: 2.5, large: 5 },
  'deep population': everywhere(1.3),
  'deep filter with sort': { small: 0.95, medium: 1.2, large: 1.2 },
  create: everywhere(1.2),
  'create with components': everywhere(1.2),
  'update with relations': everywhere(1.2),
  'start, public: list of 25': { small: 1.1, medium: 8, large: 40 },
  'start, public: one by id': everywhere(1.1),
  'start, signed in: list of 25': { small: 1.1, medium: 8, large: 40 },
  'start, signed in: one by id': everywhere(1.1),
  'start, signed in: create with components': everywhere(1.3),
  'start, signed in: update with relations': everywhere(1.3),
}

/** The target of a scenario in a run with so many articles; `undefined` without one. */
export function targetOf(name: string, articles: number): number | undefined {
  const size = reported.find((one) => sizes[one] === articles)
  return size && targets[name]?.[size]
}

/** Of the ratio as it is printed. */
export const isMet = (ratio: number, target: number): boolean => Number(ratio.toFixed(2)) >= target

/** The requests per second of Octavo, at least, as a multiple of those of the best SQL known to us. */
export const targetOfBest = 0.85

/** Of an answer of GraphQL to the same answer by REST in the same run, at least. */
export const graphqlTarget = 0.8

/** Of a list of 25 with its total: a million rows against a hundred, at most. */
export const growthTarget = 1.2
/** Milliseconds, p50 of `search _q with an index` with a million articles; less is required. */
export const searchTarget = 20
/** Seconds from the start of a process to its first answer, at most. */
export const firstAnswerTarget = 0.35
/** Resident memory under reads in MB, at most. */
export const memoryTarget = 120
