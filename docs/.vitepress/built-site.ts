import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Checks the pages of a built site: every link within the site leads to a page and an anchor that exist, and no page loads
 * anything from another host. VitePress itself refuses links to pages that do not exist, but no dead anchors.
 *
 * @throws Error with every mistake.
 */
export function checkBuiltSite(folder: string): void {
  const pages = new Map<string, Page>()
  for (const file of globSync('**/*.html', { cwd: folder })) {
    pages.set(`/${file}`, readPage(readFileSync(path.join(folder, file), 'utf8')))
  }
  const mistakes = [...pages].flatMap(([name, page]) => [
    ...page.links.flatMap((link) => {
      const { pathname, hash } = new URL(link, `http://site${name}`)
      const target = pages.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
      if (!target) return /\.html$|\/$/.test(pathname) ? [`${name}: ${link} leads to no page`] : []
      const id = decodeURIComponent(hash.slice(1))
      return id === '' || target.ids.has(id) ? [] : [`${name}: ${link} leads to no heading`]
    }),
    ...page.foreign.map((source) => `${name}: ${source} is loaded from another host`),
  ])
  if (mistakes.length > 0) throw new Error(`The built site has mistakes:\n${mistakes.join('\n')}`)
  console.log(`${pages.size} pages: links, anchors and hosts are right`)
}

interface Page {
  readonly ids: ReadonlySet<string>
  readonly links: readonly string[]
  /** What the page loads from other hosts. */
  readonly foreign: readonly string[]
}

function readPage(html: string): Page {
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value = '']) => value)
  return {
    ids: new Set(all(/\sid="([^"]+)"/g)),
    links: all(/<a\s[^>]*?href="([^"]+)"/g).filter((href) => !/^(?:[a-z]+:|\/\/)/i.test(href)),
    foreign: [
      ...all(/\ssrc="((?:https?:)?\/\/[^"]+)"/g),
      ...all(/<link\s[^>]*?href="((?:https?:)?\/\/[^"]+)"/g),
      ...all(/(@import\s+url\([^)]*\))/g),
    ],
  }
}
