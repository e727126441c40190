import type { OctavoError } from '@octavo/database'

/**
 * The treatment of names in a request that nothing reads: parameters, what `populate` names, and attributes in a body. `refuse`
 * is the option `strict`; `log` is for development; `ignore`, the contract's, looks for none.
 */
export type UnknownNames = 'refuse' | 'log' | 'ignore'

/** Receives each of them; `mistake` makes an error with its place and the nearest known name, which may be thrown. */
export type ReportUnknownName = (mistake: () => OctavoError) => void

/** @param strict The option. Default false. */
export function unknownNamesOf(strict = false): UnknownNames {
  if (strict) return 'refuse'
  return process.env.NODE_ENV === 'production' ? 'ignore' : 'log'
}

/** Names of one request that are reported: the search for the nearest known name takes far longer than to read a name. */
export const reportedNames = 20

/** A mistake as it is logged if the request continues. */
export const ignored = (mistake: string): string =>
  `${/[.?]$/.test(mistake) ? mistake : `${mistake}.`} It is ignored; the option strict refuses it.`

/** @param log Called with a sentence; `undefined` is returned if unknown names are not reported. */
export function reportOf(names: UnknownNames, log: (message: string) => void): ReportUnknownName | undefined {
  switch (names) {
    case 'refuse':
      return (mistake) => {
        throw mistake()
      }
    case 'log': {
      let reported = 0
      return (mistake) => {
        if (++reported > reportedNames) return
        log(ignored(mistake().message))
      }
    }
    case 'ignore':
      return undefined
  }
}
