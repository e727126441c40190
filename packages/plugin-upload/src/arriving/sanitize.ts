import { problem } from '../problems.ts'

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

/**
 * Removes scripts, event handlers, styles, foreign content, links and external references from a drawing.
 * @throws ValidationError for more than {@link maxDepth} elements within each other
 */
export async function sanitizedSvg(svg: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  let depth = 0
  return sanitizeHtml(svg, {
    onOpenTag: () => {
      depth += 1
      if (depth > maxDepth)
        throw problem('upload/type', {
          message: `An SVG may have at most ${maxDepth} elements within each other.`,
        })
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
