import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the pages. */
export const docs = fileURLToPath(new URL('../../', import.meta.url))

/** A fenced block of a page. */
export interface Block {
  /** The first word after the fence, e.g. `ts`. */
  readonly language: string
  readonly code: string
  /** Number of the line of the fence, from 1. */
  readonly line: number
  /** Text of the comment `<!-- snippet: … -->` on the line before, e.g. `not run: needs an S3 bucket`. */
  readonly note: string | undefined
  /** Offsets of the block in the page, from its fence to behind its closing fence. */
  readonly from: number
  readonly to: number
}

const fence = /^(?:<!-- snippet: ([^\n]*?) -->\n)?^( *)```([a-z]*)[^\n]*\n(.*?)^\2```$/gms

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(fence)].map((match) => {
    const [whole, note, indent = '', language = '', code = ''] = match
    const from = match.index + whole.indexOf('```') - indent.length
    return {
      language,
      code: indent === '' ? code : code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: page.slice(0, from).split('\n').length,
      note,
      from,
      to: match.index + whole.length,
    }
  })
}

export const readPage = (name: string): string => readFileSync(path.join(docs, name), 'utf8')

/** All pages, relative to the folder, without the reports of the public surface: their code has no context. */
export const allPages: readonly string[] = globSync('**/*.md', { cwd: docs })
  .filter((name) => !/^(?:node_modules|\.vitepress|\.octavo|api)\//.test(name))
  .sort()

/** A page whose name must lead to something: a test fails for a name that was misspelt. */
export const pageFile = (name: string): string => path.join(docs, name)
