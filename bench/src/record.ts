/** The recorded runs of a size: `results/<size>.json`. All tables and charts are made from them. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Size } from './dataset.ts'
import { median, type Sample } from './measure.ts'

export interface Round {
  readonly octavo: Sample
  /** Hand-written SQL. */
  readonly ceiling: Sample
  /** The best SQL known, if the scenario has it. */
  readonly best?: Sample | undefined
}

export interface Measured {
  readonly name: string
  /** Empty: it was left out. */
  readonly rounds: readonly Round[]
  /** Round trips to the database for one request. */
  readonly roundTrips?: number
  /** Why it was left out. */
  readonly skipped?: string
}

export interface Run {
  /** When it began, in ISO 8601. */
  readonly date: string
  readonly articles: number
  readonly node: string
  readonly postgresql: string
  readonly processor: string
  readonly cores: number
  readonly connections: number
  /** Of each round, for each server. */
  readonly seconds: number
  readonly fill: {
    readonly seconds: number
    /** Of the database, when it is filled. */
    readonly bytes: number
    /** Of making the index for searches; `undefined`: it was not made. */
    readonly indexSeconds?: number | undefined
  }
  readonly scenarios: readonly Measured[]
  /** GraphQL, with the same answers by REST as the ceiling. Runs before 2026-11-23 have none. */
  readonly graphql?: readonly Measured[]
  /** Milliseconds from the start of a process to its first answer, with 50 content-types whose tables and compiled code exist. */
  readonly firstAnswers: readonly number[]
}

/** The ratios of requests a second within each round; a round in which a server answered nothing has none. */
export const ratiosOf = ({ rounds }: Measured, to: 'ceiling' | 'best'): readonly number[] =>
  rounds.flatMap(({ octavo, [to]: other }) =>
    other && octavo.rate > 0 && other.rate > 0 ? [octavo.rate / other.rate] : [],
  )

/** The median over rounds of a figure of Octavo's server. */
export const ownFigure = ({ rounds }: Measured, pick: (sample: Sample) => number): number =>
  median(rounds.filter(({ octavo }) => octavo.rate > 0).map(({ octavo }) => pick(octavo)))

/** The runs of a size; none if the file does not exist. */
export async function readRuns(folder: URL, size: Size): Promise<readonly Run[]> {
  try {
    return JSON.parse(await readFile(fileOf(folder, size), 'utf8')) as Run[] // written below
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Writes the runs, with the ratios that are made of their rounds beside them. */
export async function writeRuns(folder: URL, size: Size, runs: readonly Run[]): Promise<void> {
  const withRatios = runs.map((run) => ({
    ...run,
    scenarios: run.scenarios.map((measured) => ({
      ...measured,
      ratios: ratiosOf(measured, 'ceiling'),
      ratiosToBest: ratiosOf(measured, 'best'),
    })),
  }))
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(3)) : value
  await writeFile(fileOf(folder, size), `${JSON.stringify(withRatios, rounded, 2)}\n`)
}

const fileOf = (folder: URL, size: Size): URL => new URL(`${size}.json`, folder)
