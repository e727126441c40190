import type { Node } from 'oxc-parser'
import { excerpt, lineOf, type SourceFile } from './source-file.ts'

/** Placeholder for a value that cannot be evaluated without running the code, so that its neighbours are still read. */
export class Unreadable {
  readonly line: number
  /** The code, shortened. */
  readonly code: string

  constructor(source: SourceFile, node: Node) {
    this.line = lineOf(source, node)
    this.code = excerpt(source, node)
  }
}
