/** The person who is signed in on this page. */
let person: number | undefined

/** Says who is signed in on this page; `undefined`: nobody. */
export function signedInAs(id: number | undefined): void {
  person = id
}

/**
 * The header of requests that change something. All tabs of a browser have one session: when another person has signed in beside this page, the server
 * refuses what this page would write in the name of that person.
 */
export const personHeader = (): Readonly<Record<string, string>> =>
  person === undefined ? {} : { 'Octavo-Person': String(person) }
