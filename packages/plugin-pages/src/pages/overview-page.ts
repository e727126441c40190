import { type Html, html } from '../html.ts'
import { layout } from './layout.ts'
import type { Overview, OverviewType } from './overview.ts'

/**
 * The page `/`.
 *
 * @param picture The picture of the content-types and their relations.
 * @param origin The origin of the request: `http://localhost:1337`.
 */
export const overviewPage = (overview: Overview, picture: Html | undefined, origin: string): Html =>
  layout({
    title: 'Octavo: overview',
    current: '/',
    hasDocs: overview.hasDocs,
    script: '/docs/pages/overview.js',
    content: html`<div class="title"><h1>Overview</h1>
<p class="pill ${overview.isDatabaseUp ? 'live' : 'wrong'}">${overview.isDatabaseUp ? 'The server accepts requests, and the database answers.' : 'The database does not answer.'}</p>
<p class="aside"><a href="/_health/ready">Health</a>${overview.hasMetrics && html` · <a href="/_metrics">Metrics</a>`}</p></div>
<div class="overview">
${overview.types.length === 0 ? empty : typesTable(overview)}
${picture && html`<section class="sheet picture"><h2 id="model">Model</h2><div class="scroll" role="region" aria-labelledby="model" tabindex="0">${picture}</div></section>`}
${requests(overview, origin)}
<div class="beside">${links(overview)}
<section class="sheet"><h2>Versions</h2>
<dl class="versions">${overview.versions.map(([name, version]) => html`<div><dt>${name}</dt><dd>${version}</dd></div>`)}</dl></section></div>
</div>`,
  })

const empty = html`<section class="sheet"><p>There are no content-types yet. Describe one in TypeScript or as a <code>schema.json</code>, and start the
server again.</p></section>`

/** Counts at once; more digits than a table needs are grouped. */
const number = new Intl.NumberFormat('en')

const typesTable = ({
  types,
}: Overview): Html => html`<section class="sheet"><h2 id="types">Content-types</h2>
<p id="rights-note">“Public” lists the actions of requests without a token. Entries are counted with drafts and all locales.</p>
<div class="scroll" role="region" aria-labelledby="types" tabindex="0">
<table aria-describedby="rights-note">
<thead><tr><th scope="col">Name and path</th><th scope="col" class="number">Entries</th><th scope="col">Public</th><th scope="col"><span class="hidden">Query page</span></th></tr></thead>
<tbody>${types.map(
  (type) => html`<tr>
<th scope="row"><div class="type"><span>${type.name}</span> <a href="${type.path}">${type.path}</a></div></th>
<td class="number">${type.entries === undefined ? '?' : number.format(type.entries)}</td>
<td>${rights(type)}</td>
<td><a href="/docs/query#${encodeURIComponent(JSON.stringify({ path: type.path }))}" aria-label="Query ${type.name}">Query</a></td>
</tr>
`,
)}</tbody>
</table>
</div></section>
`

function rights({ rights }: OverviewType): Html {
  const permitted = rights.filter(([, isPermitted]) => isPermitted)
  if (permitted.length === 0) return html`<span class="quiet">nothing</span>`
  if (permitted.length === rights.length) return html`everything`
  return html`${permitted.map(([action]) => action).join(', ')}`
}

/** Requests that work here, to copy. */
function requests({ types }: Overview, origin: string): Html | undefined {
  const readable = types.find(({ rights }) => rights.some(([action, may]) => action === 'find' && may))
  const type = readable ?? types[0]
  if (!type) return undefined
  const page = type.isSingle ? '?populate=*' : '?pagination[pageSize]=3&populate=*'
  return html`<section class="sheet"><h2>First requests</h2>
${
  readable === undefined &&
  html`<p>No role may read content yet. This command allows everybody to read “${type.name}”:</p>
${command(`octavo permissions grant public '${action(type)}'`, 'the command')}`
}
${command(`curl '${origin}${type.path}'`, 'the first request')}
${command(`curl -g '${origin}${type.path}${page}'`, 'the request with relations')}
${command(`curl -g '${origin}${type.path}${page}&explain=true'`, 'the request for the explanation')}
</section>`
}

const action = ({ path }: OverviewType): string => `${path.split('/').at(-1)}.find*`

const command = (text: string, name: string): Html =>
  html`<div class="copy"><pre tabindex="0"><code>${text}</code></pre><button type="button" data-copy aria-label="Copy ${name}">Copy</button></div>
`

const links = ({
  hasDesk,
  hasDocs,
  description,
}: Overview): Html => html`<section class="sheet"><h2>Pages</h2>
<ul>
${hasDesk && html`<li><a href="/desk">Desk</a>: editors sign in, write and publish</li>`}
<li><a href="/docs/query">Query</a>: a query builder with the code, the SQL and the omitted parts</li>
${hasDocs && html`<li><a href="/docs">API</a>: every endpoint, with examples to try</li>`}
${description !== undefined && html`<li><a href="${description}">OpenAPI</a>: the description of the API for generators and other tools</li>`}
</ul></section>
`
