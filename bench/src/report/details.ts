/** All figures of a run, as a table. */
import { median } from '../measure.ts'
import { type Measured, ownFigure, type Run, ratiosOf } from '../record.ts'
import { graphqlTarget, isMet, targetOf } from '../targets.ts'

/** A number as text; `–` for what was not measured. */
export const cell = (value: number, digits: number): string =>
  Number.isFinite(value) ? value.toFixed(digits) : '–'

/** The conditions of a run: `100 articles on PostgreSQL 15.18, 16 connections, 3 rounds of 5 s; …`. */
export function conditions({ articles, postgresql, connections, seconds, node, cores, ...run }: Run): string {
  const rounds = Math.max(0, ...run.scenarios.map((measured) => measured.rounds.length))
  return `${articles.toLocaleString('en')} articles on PostgreSQL ${postgresql}, Node.js ${node}, ${connections} connections, ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s, ${cores} processors (${run.processor}) for the servers, the database and the load`
}

export function markdown(run: Run): string {
  const skipped = run.scenarios.filter((measured) => measured.skipped !== undefined)
  const { seconds, bytes, indexSeconds } = run.fill
  return `${run.date.slice(0, 16).replace('T', ' ')} UTC, ${conditions(run)}. Filled in ${seconds.toFixed(0)} s (${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB)${indexSeconds === undefined ? '' : `, index for searches in ${indexSeconds.toFixed(0)} s`}.

| scenario | requests/s | hand-written | ratio | target | met | of the best | p50 ms | p99 ms | server CPU µs | hand-written CPU µs | round trips | RSS MiB |
|---|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|
${run.scenarios.map((measured) => row(measured, targetOf(measured.name, run.articles))).join('\n')}

${graphqlTable(run.graphql ?? [])}From the start of a process to its first answer, with 50 content-types on an existing database: ${cell(median(run.firstAnswers), 0)} ms.
${skipped.map(({ name, skipped }) => `\nNot measured: ${name}, since ${skipped}.\n`).join('')}`
}

/** Beside the same answers by REST. */
function graphqlTable(measured: readonly Measured[]): string {
  if (measured.length === 0) return ''
  const rows = measured.map((one) => {
    const ratio = cell(median(ratiosOf(one, 'ceiling')), 2)
    const rest = cell(median(one.rounds.map(({ ceiling }) => ceiling.rate)), 0)
    const cpu = [
      median(one.rounds.map(({ octavo }) => octavo.cpu)),
      median(one.rounds.map(({ ceiling }) => ceiling.cpu)),
    ].map((time) => cell(time, 0))
    return `| ${[one.name, cell(median(one.rounds.map(({ octavo }) => octavo.rate)), 0), rest, `**${ratio}** (${graphqlTarget})`, ...cpu].join(' | ')} |`
  })
  return `| GraphQL beside the same answer by REST | requests/s | REST | ratio (target) | server CPU µs | REST |
|---|--:|--:|--:|--:|--:|
${rows.join('\n')}

`
}

function row(measured: Measured, target: number | undefined): string {
  const ratio = median(ratiosOf(measured, 'ceiling'))
  const cells = [
    measured.name,
    cell(
      ownFigure(measured, ({ rate }) => rate),
      0,
    ),
    cell(median(measured.rounds.map(({ ceiling }) => ceiling.rate)), 0),
    `**${cell(ratio, 2)}**`,
    ...(target === undefined || Number.isNaN(ratio)
      ? ['', '']
      : [String(target), isMet(ratio, target) ? 'yes' : '**no**']),
    cell(median(ratiosOf(measured, 'best')), 2),
    cell(
      ownFigure(measured, ({ p50 }) => p50),
      0,
    ),
    cell(
      ownFigure(measured, ({ p99 }) => p99),
      0,
    ),
    cell(
      ownFigure(measured, ({ cpu }) => cpu),
      0,
    ),
    cell(median(measured.rounds.map(({ ceiling }) => ceiling.cpu)), 0),
    String(measured.roundTrips ?? '–'),
    cell(ownFigure(measured, ({ memory }) => memory) / 2 ** 20, 0),
  ]
  return `| ${cells.join(' | ')} |`
}
