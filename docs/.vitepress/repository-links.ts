import { statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MarkdownRenderer } from 'vitepress'

const docs = fileURLToPath(new URL('..', import.meta.url))
const repository = path.resolve(docs, '..')
const address = 'https://github.com/octavo/octavo'

/**
 * Pages link to files of the repository by relative paths, which work where the sources are read. On the site, links
 * that leave the folder of the pages lead to the repository.
 *
 * @throws Error for a link to a file that does not exist, which fails the build.
 */
export function linkRepository(md: MarkdownRenderer): void {
  const { link_open } = md.renderer.rules
  md.renderer.rules.link_open = (tokens, i, options, env, self) => {
    const token = tokens[i]
    const href = token?.attrGet('href')
    if (token && href && isRelative(href)) {
      const outside = repositoryAddress(href, String(env.path))
      if (outside !== undefined) token.attrSet('href', outside)
    }
    return link_open ? link_open(tokens, i, options, env, self) : self.renderToken(tokens, i, options)
  }
}

const isRelative = (href: string): boolean => !/^(?:[a-z]+:|#|\/)/i.test(href)

function repositoryAddress(href: string, page: string): string | undefined {
  const [file = '', anchor] = href.split('#')
  const target = path.resolve(path.dirname(page), decodeURI(file))
  const stat = statSync(target, { throwIfNoEntry: false })
  if (!stat) throw new Error(`${path.relative(repository, page)}: the link ${href} leads to no file`)
  const isPage = target.startsWith(docs) && target.endsWith('.md')
  if (isPage) return undefined
  const kind = stat.isDirectory() ? 'tree' : 'blob'
  return `${address}/${kind}/main/${path.relative(repository, target)}${anchor ? `#${anchor}` : ''}`
}
