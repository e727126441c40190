/**
 * Recorded exchanges that we do not answer as recorded, by id, each with its reason. One that agrees after all fails the
 * test, so that this list only ever gets shorter.
 */
export const expectedFailures: Readonly<Record<string, string>> = {}
