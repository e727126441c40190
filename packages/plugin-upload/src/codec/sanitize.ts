/**
 * Removes from SVG files all that runs or leads elsewhere. Only the process of codecs imports this file: the libraries block for
 * seconds at the largest files (S-32).
 */
import { readFile, writeFile } from 'node:fs/promises'
import sanitizeHtml from 'sanitize-html'
import { failure } from './failure.ts'
import type { JobResult } from './jobs.ts'
import { encodingOf } from './text-encoding.ts'

/** The SVG elements that draw. Links and scripts are not among them. */
const elements = [
  'svg',
  'g',
  'defs',
  'desc',
  'title',
  'symbol',
  'use',
  'marker',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
  'tspan',
  'textPath',
  'clipPath',
  'mask',
  'pattern',
  'linearGradient',
  'radialGradient',
  'stop',
  'filter',
  'feBlend',
  'feColorMatrix',
  'feComponentTransfer',
  'feComposite',
  'feConvolveMatrix',
  'feDiffuseLighting',
  'feDisplacementMap',
  'feDistantLight',
  'feDropShadow',
  'feFlood',
  'feFuncA',
  'feFuncB',
  'feFuncG',
  'feFuncR',
  'feGaussianBlur',
  'feMerge',
  'feMergeNode',
  'feMorphology',
  'feOffset',
  'fePointLight',
  'feSpecularLighting',
  'feSpotLight',
  'feTile',
  'feTurbulence',
]

/** A reference to something in the same drawing. */
const local = /^\s*#[\w.:-]+\s*$/

/** Elements within each other; drawings have some dozens. The parser looks through all open ones for each end tag of another name (S-32). */
const maxDepth = 200

/** A drawing with more than {@link maxDepth} elements within each other. */
export class TooDeep extends Error {}

/** The job: the sanitised drawing takes the place of the file. A drawing that is refused is a result, not an error. */
export async function sanitizeFile(file: string): Promise<JobResult> {
  try {
    const bytes = await readFile(file)
    // The drawing is stored as UTF-8; its declaration, which may name another encoding, is not kept.
    await writeFile(file, sanitizedSvg(new TextDecoder(encodingOf(bytes)).decode(bytes)))
    return { kind: 'done', pictures: [] }
  } catch (error) {
    return error instanceof TooDeep ? { kind: 'too-deep', limit: maxDepth } : failure(error)
  }
}

/**
 * Removes scripts, event handlers, styles, foreign content, links and external references from a drawing.
 * @throws TooDeep
 */
export function sanitizedSvg(svg: string): string {
  let depth = 0
  return sanitizeHtml(svg, {
    onOpenTag: () => {
      depth += 1
      // The parser is stopped by an error alone.
      if (depth > maxDepth) throw new TooDeep()
    },
    onCloseTag: () => {
      depth -= 1
    },
    allowedTags: elements,
    allowedAttributes: false,
    allowedSchemes: [],
    allowProtocolRelative: false,
    allowVulnerableTags: false,
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    transformTags: { '*': (tagName, attribs) => ({ tagName, attribs: harmless(attribs) }) },
  })
}

function harmless(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name, value]) => {
      if (/^on/i.test(name) || name === 'style') return false
      if (/(?:^|:)href$/i.test(name)) return local.test(value)
      // `fill="url(#a)"` is a gradient of the same drawing; any other address is not. A backslash can hide letters of `url`. The spaces of each
      // place match one part only: in two parts, many of them would be divided in every way (S-32).
      return !/url\s*\((?!\s*(?:['"]\s*)?#)|\\|(?:java|vb)script:|data:/i.test(value)
    }),
  )
}
