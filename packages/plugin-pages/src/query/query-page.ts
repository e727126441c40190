import { type Html, html } from '../html.ts'
import { layout } from '../pages/layout.ts'

/** The page `/docs/query`. Its controls are made by the script, from the content-types of the server. */
export const queryPage = (hasDocs: boolean): Html =>
  layout({
    title: 'Octavo: query',
    current: '/docs/query',
    hasDocs,
    script: '/docs/pages/query.js',
    content: html`<div class="title"><h1>Query</h1></div>
<noscript><p>This page needs JavaScript.</p></noscript>
<div class="columns">
<div class="sheet ask">
<form id="form" aria-label="Query"></form>
<div class="bar"><div class="row"><button type="submit" form="form" class="primary">Run</button><button type="button" id="link">Copy the link</button><p id="status" role="status"></p></div><p id="problem" class="problem" hidden></p></div>
</div>
<div id="result">
<section class="sheet" aria-labelledby="answer-title" id="answer" hidden><h2 id="answer-title">Answer</h2><pre id="body" tabindex="0" role="region" aria-label="Body of the answer"></pre></section>
<section class="sheet" aria-labelledby="missing-title" id="missing" hidden><h2 id="missing-title">Omitted parts</h2><div id="pruned"></div></section>
<section class="sheet" aria-labelledby="code-title"><h2 id="code-title">Request</h2><div id="code"></div></section>
<section class="sheet" aria-labelledby="plan-title" id="plan" hidden><h2 id="plan-title">Execution in PostgreSQL</h2><div id="steps"></div></section>
</div>
</div>`,
  })
