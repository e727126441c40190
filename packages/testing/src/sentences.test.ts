import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const files = globSync(
  [
    '{packages,apps,examples}/*/{src,test,walk}/**/*.{ts,tsx}',
    'bench/src/**/*.{ts,tsx}',
    'docs/{test,walk}/**/*.ts',
  ],
  { cwd: root },
)
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !/\/(?:node_modules|fixtures|generated|dist)\//.test(file))

interface Title {
  readonly text: string
  /** Whether a `describe` around the test can name the subject. */
  readonly isInside: boolean
}

interface Sentences {
  readonly titles: readonly Title[]
  /** The first words of each docstring. */
  readonly docstrings: readonly string[]
}

type Node = Readonly<Record<string, unknown>> & { readonly type?: string }

/** The name of the function that is called first, in `it.each(cases)(title, test)` too. */
function calledName(callee: Node): string {
  if (callee.type === 'Identifier') return String(callee.name)
  const next = callee.type === 'CallExpression' ? callee.callee : callee.object
  return next ? calledName(next as Node) : ''
}

function addTitles(node: unknown, isInside: boolean, titles: Title[]): void {
  if (Array.isArray(node)) for (const one of node) addTitles(one, isInside, titles)
  if (Array.isArray(node) || typeof node !== 'object' || node === null) return
  const { type, callee, arguments: given } = node as Node
  const [first] = type === 'CallExpression' ? (given as readonly Node[]) : []
  const name = first ? calledName(callee as Node) : ''
  if (name === 'it' && typeof first?.value === 'string') titles.push({ text: first.value, isInside })
  for (const child of Object.values(node)) addTitles(child, isInside || name === 'describe', titles)
}

function sentencesOf(file: string, text: string): Sentences {
  const { program, comments } = parseSync(file, text)
  const titles: Title[] = []
  if (/\.(?:test|spec)\.tsx?$/.test(file)) addTitles(program.body, false, titles)
  const docstrings = comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value }) => value.replace(/^[*\s]+/, '').slice(0, 60))
  return { titles, docstrings }
}

/** Verbs without a subject, at the beginning of a title that no `describe` is around. */
const verbFirst =
  /^(?:S-\d+: )?(?:is|are|has|have|was|were|does|do|may|answers|attaches|counts|ends|equals|finds|fails|gives|goes|keeps|leaves|lists|makes|names|puts|refuses|removes|reports|resolves|returns|runs|sends|serves|shows|stops|suggests|takes|uploads|writes)\b/
const withoutSubject =
  /^(?:others|all of (?:these|those)|those|that of|the same)\b|\bdoes (?:so|the same)\b|\bgive the same$/i
const ellipsis = /\.\.\.$|…/

/** @returns whether a title says what it tests without its file */
const standsAlone = ({ text, isInside }: Title): boolean =>
  !ellipsis.test(text) && !withoutSubject.test(text) && (isInside || !verbFirst.test(text))

/** Beginnings that need the lines above, or a relative clause as the subject. */
const dependent =
  /^(?:The same\b|That of|Those\b|As above|See above|Also\b|Likewise|What\b|Whoever\b|One that|Its\b|They\b|So many\b)/

/** Sentences that may wait to be mended: branches that are made at the same time do not stop each other. No number grows. */
const most = { titles: 20, docstrings: 20 }

describe('sentences', () => {
  const found = files.map((file) => ({
    file,
    ...sentencesOf(file, readFileSync(path.join(root, file), 'utf8')),
  }))

  it('of titles of tests name their subject', () => {
    expect(found.flatMap(({ titles }) => titles).length).toBeGreaterThan(2_000)
    const wrong = found.flatMap(({ file, titles }) =>
      titles.filter((title) => !standsAlone(title)).map(({ text }) => `${file}: ${text}`),
    )
    expect(wrong.slice(most.titles)).toEqual([])
  })

  it('of docstrings begin with their subject, or with a verb', () => {
    expect(found.flatMap(({ docstrings }) => docstrings).length).toBeGreaterThan(7_000)
    const wrong = found.flatMap(({ file, docstrings }) =>
      docstrings.filter((text) => dependent.test(text)).map((text) => `${file}: ${text}`),
    )
    expect(wrong.slice(most.docstrings)).toEqual([])
  })

  it('are found where they depend on others', () => {
    const { titles, docstrings } = sentencesOf(
      'x.test.ts',
      `/** Those of this turn. */ it('names the file', f); describe('a lock', () => { it('is one', f); it.each([1])('does so too: %i', f) })`,
    )
    expect(titles.map(standsAlone)).toEqual([false, true, false])
    expect(docstrings.filter((text) => dependent.test(text))).toHaveLength(1)
  })
})
