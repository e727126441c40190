import type { Logger } from '@octavo/core'
import { counted } from '../counted.ts'
import { type Finding, guideOf } from './finding.ts'
import type { Project } from './project.ts'

/** The used settings and the findings, for a terminal; findings are grouped by kind, below the guide's section. */
export function projectReport({ used, findings }: Project): readonly string[] {
  const kinds = Map.groupBy(findings, ({ kind }) => kind)
  return [
    ...(used.length === 0 ? [] : ['', 'Used from the project:', ...used.map(line)]),
    ...(findings.length === 0 ? [] : ['', `Not run or used (${counted(findings.length, 'item')}):`]),
    ...[...kinds].flatMap(([kind, list]) => ['', `  see ${guideOf(kind)}`, ...list.map(line)]),
  ]
}

const line = ({ file, message }: Pick<Finding, 'file' | 'message'>): string => `  ${file}: ${message}`

/** Logs the same at the start of a server, one line each. */
export function logProject({ used, findings }: Project, logger: Logger): void {
  for (const { file, message } of used) logger.info({ file }, `Used from the project: ${file}: ${message}`)
  for (const { kind, file, message } of findings)
    logger.warn({ file, guide: guideOf(kind) }, `Not run or used: ${file}: ${message}; see ${guideOf(kind)}`)
}
