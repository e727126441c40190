import type { Logger } from '@octavo/core'
import { counted } from '../counted.ts'
import { type Finding, guideOf } from './finding.ts'
import type { Project } from './project.ts'

/** The used settings and the findings, for a terminal; findings are grouped by kind, below the guide's section. */
export function projectReport({ taken, findings }: Project): readonly string[] {
  const kinds = Map.groupBy(findings, ({ kind }) => kind)
  return [
    ...(taken.length === 0 ? [] : ['', 'Used from the project:', ...taken.map(line)]),
    ...(findings.length === 0 ? [] : ['', `Not run or used (${counted(findings.length, 'item')}):`]),
    ...[...kinds].flatMap(([kind, list]) => ['', `  see ${guideOf(kind)}`, ...list.map(line)]),
  ]
}

const line = ({ file, message }: Pick<Finding, 'file' | 'message'>): string => `  ${file}: ${message}`

/** Logs the same at the start of a server, one line each. */
export function logProject({ taken, findings }: Project, logger: Logger): void {
  for (const { file, message } of taken) logger.info({ file }, `Used from the project: ${file}: ${message}`)
  for (const { kind, file, message } of findings)
    logger.warn({ file, guide: guideOf(kind) }, `Not run or used: ${file}: ${message}; see ${guideOf(kind)}`)
}
