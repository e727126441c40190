import { Html, html } from '../html.ts'

export interface Layout {
  readonly title: string
  readonly current: '/' | '/docs/query'
  /** Whether the API page is there. */
  readonly hasDocs: boolean
  /** A module of this package, by its path. */
  readonly script: string
  readonly content: Html
}

/** The frame of every page. */
export const layout = ({ title, current, hasDocs, script, content }: Layout): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/pages/tokens.css">
<link rel="stylesheet" href="/docs/pages/style.css">
<script type="module" src="${script}">${endOfScript}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<p class="brand">Octavo</p>
<nav aria-label="Pages">
<a href="/"${current === '/' && ariaCurrent}>Overview</a>
<a href="/docs/query"${current === '/docs/query' && ariaCurrent}>Query</a>
${hasDocs && html`<a href="/docs">API</a>`}
</nav>
</header>
<main id="main" tabindex="-1">
${content}
</main>
</body>
</html>
`

const ariaCurrent = html` aria-current="page"`

/** Kept out of the template: the bundler would replace a template that contains it, and import a helper for that. */
const endOfScript = new Html('</script>')
