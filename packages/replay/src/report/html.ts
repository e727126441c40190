import { decoded, type Rank, ranks } from '../causes.ts'
import type { DifferenceGroup, Example, ReplayReport, ServerTimes } from './report.ts'
import { headings, requestsText, verdictOf } from './text.ts'
import { tokens } from './tokens.ts'

/** A page that shows a report, in one file without references to others. */
export function htmlReport(report: ReplayReport): string {
  const { requests, different, deliberate, groups, times } = report
  const verdict = verdictOf(report)
  const shown = ranks.filter((rank) => groups.some((group) => group.rank === rank))
  const of = (rank: Rank) => groups.filter((group) => group.rank === rank)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Replay: ${escaped(verdict)}</title>
<style>${tokens}${style}</style>
</head>
<body>
<header>
<h1>Replay</h1>
<p class="verdict ${different === 0 ? 'same' : 'differs'}">${escaped(verdict)}</p>
${bar(requests, different, deliberate)}
</header>
${shown.length === 0 ? '' : contents(shown, of)}
<main>
${shown.map((rank) => section(rank, of(rank))).join('\n')}
<section class="servers">
<h2>Servers</h2>
<dl>
${server('old', report.old, times.old)}
${server('new', report.new, times.new)}
</dl>
</section>
</main>
</body>
</html>
`
}

/** The shares of the requests, as a picture with words. */
function bar(requests: number, different: number, deliberate: number): string {
  const parts = [
    ['agree', 'agree', requests - different - deliberate],
    ['deliberate', 'differ deliberately', deliberate],
    ['different', 'differ', different],
  ] as const
  const there = parts.filter(([, , count]) => count > 0)
  const spans = there.map(([name, , count]) => `<span class="${name}" style="flex-grow:${count}"></span>`)
  const words = there.map(([name, text, count]) => `<li class="${name}">${count} ${text}</li>`)
  return `<div class="bar" aria-hidden="true">${spans.join('')}</div>\n<ul class="shares">${words.join('')}</ul>`
}

function contents(shown: readonly Rank[], of: (rank: Rank) => readonly DifferenceGroup[]): string {
  const rows = shown.map((rank) => {
    const links = of(rank).map(
      (group) =>
        `<li><a href="#${idOf(group)}">${escaped(group.title)}</a> <span class="count">${group.requests}</span></li>`,
    )
    return `<section class="${rank}"><h2>${headings[rank]}</h2><ol>${links.join('')}</ol></section>`
  })
  return `<nav aria-label="Causes">${rows.join('\n')}</nav>`
}

const section = (rank: Rank, groups: readonly DifferenceGroup[]): string =>
  `<section class="${rank}">\n<h2>${headings[rank]}</h2>\n${groups.map(article).join('\n')}\n</section>`

const idOf = ({ rank, title }: DifferenceGroup): string =>
  `${rank}-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`

function article(group: DifferenceGroup): string {
  const { title, note, requests, contentTypes, examples } = group
  return `<article id="${idOf(group)}">
<h3>${escaped(title)}</h3>
<p class="about">${requestsText(requests)} of ${contentTypes.map((type) => `<b>${escaped(type)}</b>`).join(', ')}</p>
${note === undefined ? '' : `<p class="note">${escaped(note)}</p>`}
${examples.map(example).join('\n')}
</article>`
}

function example(given: Example): string {
  const { old, new: now, onlyOld, onlyNew } = given
  return `<figure>
<figcaption>${request(given.path)}</figcaption>
<div class="sides">
${side('old', old, onlyOld)}
${side('new', now, onlyNew)}
</div>
</figure>`
}

/** The path on a line, and each parameter of the query on one of its own, decoded; the path of the log in the title. */
function request(path: string): string {
  const [place = '', ...query] = decoded(path).split('?')
  const parameters = query.join('?').split('&').filter(Boolean)
  const lines = parameters.map((text, i) => `<span>${i === 0 ? '?' : '&amp;'}${escaped(text)}</span>`)
  return `<code title="${escaped(path)}"><b>${escaped(place)}</b>${lines.join('')}</code>`
}

function side(name: 'old' | 'new', text: string, only: readonly string[] = []): string {
  const value = text === '' ? '<em>nothing</em>' : `<code>${marked(text, only)}</code>`
  const rest = only.length === 0 ? '' : `<p class="only">only here: ${escaped(only.join(', '))}</p>`
  return `<div class="${name}"><h4>${name}</h4>${value}${rest}</div>`
}

/** A list of ids with those of one side marked; any other text as it is. */
function marked(text: string, only: readonly string[]): string {
  if (only.length === 0) return escaped(text)
  return text
    .split(', ')
    .map((id) => (only.includes(id) ? `<mark>${escaped(id)}</mark>` : escaped(id)))
    .join(', ')
}

const server = (name: string, address: string, { p50, p95 }: ServerTimes): string =>
  `<div><dt>${name}</dt><dd><code>${escaped(address)}</code></dd><dd>half of the answers within ${p50} ms, 95 % within ${p95} ms</dd></div>`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const style = `
* { box-sizing: border-box }
html { scroll-padding-top: var(--s-4) }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 var(--sans) }
header, nav, main { max-width: 72rem; margin-inline: auto; padding: var(--s-5) var(--s-5) 0 }
main { padding-bottom: var(--s-7) }
h1 { font: 600 2rem/1.2 var(--serif); margin: 0 0 var(--s-2) }
h2 { font-size: 0.8rem; font-weight: 600; letter-spacing: 0.05em; text-transform: uppercase; color: var(--ink-2); margin: var(--s-6) 0 var(--s-3) }
h3 { font: 600 1.25rem/1.3 var(--serif); margin: 0; overflow-wrap: anywhere }
h4 { font-size: 0.75rem; font-weight: 600; color: var(--ink-2); margin: 0 0 var(--s-1) }
a { color: var(--accent) }
a:focus-visible { outline: none; box-shadow: var(--ring); border-radius: var(--s-1) }
code { font: 0.85rem/1.5 var(--mono); overflow-wrap: anywhere; white-space: pre-wrap }
.verdict { font-size: 1.15rem; margin: 0 0 var(--s-4); padding: var(--s-3) var(--s-4); border-radius: var(--round) }
.verdict.same { background: var(--live-wash); color: var(--live) }
.verdict.differs { background: var(--wrong-wash); color: var(--wrong) }
.bar { display: flex; gap: 2px; height: 10px; border-radius: var(--round); overflow: hidden }
.bar span { min-width: 4px }
.bar .agree { background: var(--live) }
.bar .deliberate { background: var(--info) }
.bar .different { background: var(--wrong) }
.shares { display: flex; flex-wrap: wrap; gap: var(--s-2) var(--s-5); list-style: none; padding: 0; margin: var(--s-2) 0 0; color: var(--ink-2) }
.shares li::before { content: ''; display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-inline-end: var(--s-2) }
.shares .agree::before { background: var(--live) }
.shares .deliberate::before { background: var(--info) }
.shares .different::before { background: var(--wrong) }
nav { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0 var(--s-6) }
nav ol { list-style: none; margin: 0; padding: 0 }
nav li { display: flex; gap: var(--s-3); justify-content: space-between; border-bottom: 1px solid var(--line); padding: var(--s-2) 0 }
nav a { overflow-wrap: anywhere; min-width: 0 }
.count { color: var(--ink-2); font-variant-numeric: tabular-nums }
article { background: var(--sheet); border: 1px solid var(--line); border-inline-start: 4px solid var(--line-2); border-radius: var(--round); padding: var(--s-4) var(--s-5); margin: 0 0 var(--s-4) }
.broken article { border-inline-start-color: var(--wrong) }
.changed article { border-inline-start-color: var(--draft) }
.deliberate article { border-inline-start-color: var(--info) }
.about { margin: var(--s-1) 0 0; color: var(--ink-2) }
.about b { font-weight: 600; color: var(--ink) }
.note { background: var(--info-wash); color: var(--info); border-radius: var(--round); padding: var(--s-2) var(--s-3); margin: var(--s-3) 0 0 }
figure { margin: var(--s-4) 0 0 }
figcaption code b { font-weight: 600 }
figcaption code span { display: block; padding-inline-start: var(--s-4); color: var(--ink-2) }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: var(--s-3); margin-top: var(--s-2) }
.sides > div { background: var(--well); border-radius: var(--round); padding: var(--s-3); min-width: 0 }
.sides em { color: var(--ink-2) }
mark { background: var(--wrong-wash); color: var(--wrong); border-radius: 3px; padding: 0 2px }
.new mark { background: var(--live-wash); color: var(--live) }
.only { margin: var(--s-2) 0 0; font-size: 0.85rem; color: var(--ink-2) }
.servers dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: var(--s-3); margin: 0 }
.servers div { background: var(--well); border-radius: var(--round); padding: var(--s-3) var(--s-4) }
dt { font-weight: 600 }
dd { margin: 0; color: var(--ink-2) }
@media (max-width: 40rem) {
  header, nav, main { padding-inline: var(--s-4) }
  article { padding: var(--s-3) var(--s-4) }
  .sides { grid-template-columns: 1fr }
}
@media print { nav { display: none } article { break-inside: avoid } }
`
