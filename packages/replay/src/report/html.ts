import type { DifferenceGroup, ReplayReport } from './report.ts'

/** A page that shows a report, in one file without references to others. */
export function htmlReport(report: ReplayReport): string {
  const { requests, different, groups, times } = report
  const verdict =
    different === 0
      ? `All ${requests} requests have the same answers.`
      : `${different} of ${requests} requests have different answers, of ${groups.length} ${groups.length === 1 ? 'kind' : 'kinds'}.`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Replay: ${escaped(verdict)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Replay</h1>
<p class="${different === 0 ? 'same' : 'different'}">${escaped(verdict)}</p>
<table>
<caption>Servers and times, in milliseconds</caption>
<thead><tr><th scope="col">Server</th><th scope="col">Address</th><th scope="col">p50</th><th scope="col">p95</th></tr></thead>
<tbody>
<tr><th scope="row">old</th><td>${escaped(report.old)}</td><td>${times.old.p50}</td><td>${times.old.p95}</td></tr>
<tr><th scope="row">new</th><td>${escaped(report.new)}</td><td>${times.new.p50}</td><td>${times.new.p95}</td></tr>
</tbody>
</table>
${groups.map(section).join('\n')}
</main>
</body>
</html>
`
}

function section({ contentType, kind, at, requests, examples }: DifferenceGroup): string {
  const rows = examples
    .map(
      (example) =>
        `<tr><td><code>${escaped(example.path)}</code></td><td><code>${escaped(example.old)}</code></td><td><code>${escaped(example.new)}</code></td></tr>`,
    )
    .join('\n')
  return `<section>
<h2>${escaped(contentType)}: ${escaped(kind)}${at === '' ? '' : ` at <code>${escaped(at)}</code>`}</h2>
<p>${requests} ${requests === 1 ? 'request' : 'requests'}</p>
<table>
<thead><tr><th scope="col">Request</th><th scope="col">Old</th><th scope="col">New</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</section>`
}

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
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent) }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 70rem; margin: 0 auto; padding: 1rem }
h2 { overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 1.5rem; table-layout: fixed }
caption { text-align: start; font-weight: 600 }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.5rem; text-align: start; vertical-align: top; overflow-wrap: anywhere }
.same, .different { border-inline-start: 0.4rem solid; padding: 0.5rem 1rem; font-weight: 600 }
.same { border-color: #2e7d32 }
.different { border-color: #c62828 }
`
