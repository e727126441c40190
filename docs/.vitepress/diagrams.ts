import { renderMermaidSVG } from 'beautiful-mermaid'
import type { MarkdownRenderer } from 'vitepress'

/** Draws `mermaid` fences as SVG when the site is built, in the colours of the theme, so that no script draws in the browser. */
export function drawMermaid(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, i, ...rest) => {
    const token = tokens[i]
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, i, ...rest) ?? ''
    const svg = renderMermaidSVG(token.content, {
      bg: 'var(--vp-c-bg)',
      fg: 'var(--vp-c-text-1)',
      font: 'system-ui',
    })
    // The renderer imports its font from another host.
    return `<div class="diagram" v-pre role="img" aria-label="Diagram: ${labelOf(token.content)}">${svg.replace(/@import url\([^)]*\);?/g, '')}</div>\n`
  }
}

/** The labels of a diagram's nodes, for readers who do not see it. */
function labelOf(source: string): string {
  const labels = [...source.matchAll(/[[({]+"?([^\])}"|]+)"?[\])}]+/g)].map(([, label = '']) => label.trim())
  return [...new Set(labels)].join(', ').replaceAll('"', '').replaceAll('<br>', ' ')
}
