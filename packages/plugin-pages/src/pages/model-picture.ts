import { type Html, html } from '../html.ts'
import type { OverviewRelation, OverviewType } from './overview.ts'

/** Types in a picture; a larger one cannot be read. */
const mostTypes = 40

const box = { height: 40, letter: 8.2, padding: 28 }

/**
 * Draws the content-types and their relations as SVG, layer by layer from left to right. A two-way relation is one line.
 *
 * @returns `undefined` without types, and with more than 40.
 */
export async function modelPicture(
  types: readonly OverviewType[],
  relations: readonly OverviewRelation[],
): Promise<Html | undefined> {
  if (types.length === 0 || types.length > mostTypes) return undefined
  // Production has no overview, so the library is loaded by the first visit.
  const { Graph, layout } = await import('@dagrejs/dagre')
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 22, ranksep: 64, edgesep: 14, marginx: 12, marginy: 18 })
  for (const { uid, name } of types)
    graph.setNode(uid, { width: name.length * box.letter + box.padding, height: box.height })
  const known = relations.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to))
  const drawn = known.filter(({ from, to }) => from !== to)
  for (const [i, { from, to }] of drawn.entries()) graph.setEdge(from, to, {}, String(i))
  layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  const lines = drawn.map((relation, i) => {
    const { points } = graph.edge(relation.from, relation.to, String(i)) as {
      readonly points: readonly Point[]
    } // set by `layout`
    return html`<path d="${curve(points)}"${relation.isMany && html` marker-end="url(#several)"`}><title>${titleOf(relation, types)}</title></path>`
  })
  const loops = types.flatMap(({ uid }) => {
    const own = known.filter(({ from, to }) => from === uid && to === uid)
    const { x, y, width } = graph.node(uid) as Box // set by `layout`
    const right = x + width / 2
    return own.length === 0
      ? []
      : [
          html`<path d="M${round(right - 22)} ${round(y - box.height / 2)}c0 -16 30 -16 30 0c0 12 -2 14 -8 14"${own.some(({ isMany }) => isMany) && html` marker-end="url(#several)"`}><title>${own.map((relation) => titleOf(relation, types)).join('; ')}</title></path>`,
        ]
  })
  const boxes = types.map(({ uid, name, path, entries }) => {
    const node = graph.node(uid) as Box // set by `layout`
    const left = node.x - node.width / 2
    return html`<a href="/docs/query#${encodeURIComponent(JSON.stringify({ path }))}" aria-label="${name}, ${entries ?? '?'} entries"><rect x="${round(left)}" y="${round(node.y - box.height / 2)}" width="${round(node.width)}" height="${box.height}" rx="6"/>
<text x="${round(node.x)}" y="${round(node.y - 2)}">${name}</text> <text class="count" x="${round(node.x)}" y="${round(node.y + 13)}">${entries ?? '?'}</text></a>
`
  })
  return html`<svg class="model" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="group" aria-labelledby="model">
<defs><marker id="several" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="10" markerHeight="10" orient="auto-start-reverse"><path d="M0 5L10 0M0 5L10 5M0 5L10 10"/></marker></defs>
<g class="relations" role="img" aria-label="Relations: ${known.map((relation) => titleOf(relation, types)).join('; ') || 'none'}">${lines}${loops}</g>
${boxes}</svg>`
}

interface Box extends Point {
  readonly width: number
}

interface Point {
  readonly x: number
  readonly y: number
}

const titleOf = ({ from, to, name, isMany }: OverviewRelation, types: readonly OverviewType[]): string => {
  const nameOf = (uid: string): string => types.find((type) => type.uid === uid)?.name ?? uid
  return `${nameOf(from)}.${name} leads to ${isMany ? 'several of' : 'one'} ${nameOf(to)}`
}

const round = (value: number): number => Math.round(value * 10) / 10

/** A line through points: straight to the middle between two of them, and curved around each. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.pop()
  if (!first || !last) return ''
  const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`
  const bends = rest.map((point, i) => {
    const next = rest[i + 1] ?? last
    return `Q${at(point)} ${at(i + 1 < rest.length ? { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 } : next)}`
  })
  return `M${at(first)}${bends.length === 0 ? `L${at(last)}` : bends.join('')}`
}
