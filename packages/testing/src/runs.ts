/**
 * The number of repetitions of a test: the first number in ordinary runs, the second where `OCTAVO_TEST_RUNS` is `long`, for a run
 * that nobody waits for. Both are of the test's own unit, such as the cases of a property.
 *
 *     await fc.assert(property, { numRuns: runs(40, 1_500) })
 */
export const runs = (short: number, long: number): number =>
  process.env.OCTAVO_TEST_RUNS === 'long' ? long : short
