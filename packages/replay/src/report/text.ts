import { decoded, type Rank } from '../causes.ts'
import type { DifferenceGroup, Example, ReplayReport } from './report.ts'

/** The headings of the ranks, in their order. */
export const headings = {
  broken: 'Broken: requests that fail now',
  changed: 'Changed',
  added: 'Only more: answers with further values',
  deliberate: 'Deliberate differences',
} as const satisfies Record<Rank, string>

export const requestsText = (count: number): string => `${count} ${count === 1 ? 'request' : 'requests'}`

/** The sentence that sums a report up. */
export function verdictOf({ requests, different, deliberate }: ReplayReport): string {
  const apart =
    deliberate === 0
      ? ''
      : `; ${requestsText(deliberate)} ${deliberate === 1 ? 'differs' : 'differ'} deliberately only`
  if (different === 0) return `All of ${requestsText(requests)} agree${apart}.`
  return `${different} of ${requestsText(requests)} ${different === 1 ? 'differs' : 'differ'}${apart}.`
}

/** A report for a terminal, broken ones first, with the values of both servers. */
export function textReport(report: ReplayReport): string {
  const { groups, times } = report
  const byRank = Map.groupBy(groups, ({ rank }) => rank)
  return [
    verdictOf(report),
    ...[...byRank].flatMap(([rank, list]) => ['', headings[rank], ...list.flatMap(groupText)]),
    '',
    `old: p50 ${times.old.p50} ms, p95 ${times.old.p95} ms    new: p50 ${times.new.p50} ms, p95 ${times.new.p95} ms`,
  ].join('\n')
}

const groupText = ({ title, note, contentTypes, requests, examples }: DifferenceGroup): readonly string[] => [
  `  ${title}: ${requestsText(requests)} of ${contentTypes.join(', ')}`,
  ...(note === undefined ? [] : [`    ${note}`]),
  ...examples.flatMap(exampleText),
]

const exampleText = ({ path, old, new: now, onlyOld = [], onlyNew = [] }: Example): readonly string[] => [
  `    ${decoded(path)}`,
  ...(old === '' ? [] : [`      old  ${old}`]),
  ...(now === '' ? [] : [`      new  ${now}`]),
  ...(onlyOld.length === 0 ? [] : [`      only old  ${onlyOld.join(', ')}`]),
  ...(onlyNew.length === 0 ? [] : [`      only new  ${onlyNew.join(', ')}`]),
]
