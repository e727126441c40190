import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Node, Program } from 'oxc-parser'

/** A parsed module of a project. It is never run. */
export interface SourceFile {
  /** Relative to the project, with slashes. */
  readonly file: string
  readonly text: string
  readonly program: Program
}

/** Extensions of modules, in the order of precedence. */
export const extensions = ['.js', '.ts', '.cjs', '.mjs', '.cts', '.mts'] as const

/**
 * Parses JavaScript or TypeScript.
 *
 * @param file Relative to `root`, with slashes.
 * @returns the message of the parser when the file is neither.
 */
export const parseSource = (root: string, file: string): SourceFile | string =>
  sourceOf(file, readFileSync(path.join(root, file), 'utf8'))

/** Parses a text. @returns the message of the parser when it cannot be parsed. */
export function sourceOf(file: string, text: string): SourceFile | string {
  // A native library, loaded for the first file.
  const { parseSync } = createRequire(import.meta.url)('oxc-parser') as typeof import('oxc-parser')
  const { program, errors } = parseSync(file, text, { sourceType: 'unambiguous' })
  const [error] = errors
  return error ? error.message : { file, text, program }
}

/** The module of that name, without its extension; `undefined` when there is none. */
export const findModule = (root: string, name: string): string | undefined =>
  extensions.map((extension) => `${name}${extension}`).find((file) => existsSync(path.join(root, file)))

/** The line of a node, from 1. */
export const lineOf = ({ text }: SourceFile, { start }: Pick<Node, 'start'>): number =>
  text.slice(0, start).split('\n').length

/** The text of a node on one line, of at most 60 characters. */
export function excerpt({ text }: SourceFile, { start, end }: Pick<Node, 'start' | 'end'>): string {
  const line = text.slice(start, end).replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
