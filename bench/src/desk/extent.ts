/** How much the desk is measured with, and how often. */
export interface Extent {
  readonly articles: number
  /** Entries of a list to choose from, with an index for searches and without one. */
  readonly people: number
  readonly folders: number
  readonly files: number
  /** Visits for each page, and those in which texts are typed. */
  readonly rounds: number
  readonly typedRounds: number
  /** The text that is typed. */
  readonly sentence: string
  /** The words that are looked for in lists to choose from. */
  readonly words: readonly string[]
}

const whole: Extent = {
  articles: 100_000,
  people: 100_000,
  folders: 10_000,
  files: 100_000,
  rounds: 5,
  typedRounds: 2,
  sentence: 'the river had been quiet for so long that nobody in the town could say',
  words: ['kalo', 'terulo', 'wenmi', 'pha', 'duno', 'lokate', '9999', 'juljul'],
}

/** A visit of each page with few rows: it shows that all is still measured, and its times mean nothing. */
const short: Extent = {
  ...{ articles: 2_000, people: 2_000, folders: 2_000, files: 2_000 },
  ...{ rounds: 1, typedRounds: 1, sentence: 'the river', words: ['kalo'] },
}

export const extents = { whole, short } as const
