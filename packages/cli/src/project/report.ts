import type { Logger } from '@octavo/core'
import { counted } from '../counted.ts'
import { type Finding, guideOf } from './finding.ts'
import type { Project } from './project.ts'

/** What was taken over and what was not, for a terminal: findings of one kind stand together, below the guide's section. */
export function projectReport({ taken, findings }: Project): readonly string[] {
  const kinds = Map.groupBy(findings, ({ kind }) => kind)
  return [
    ...(taken.length === 0 ? [] : ['', 'Taken over from the project:', ...taken.map(line)]),
    ...(findings.length === 0 ? [] : ['', `Not run or taken over (${counted(findings.length, 'thing')}):`]),
    ...[...kinds].flatMap(([kind, list]) => ['', `  see ${guideOf(kind)}`, ...list.map(line)]),
  ]
}

const line = ({ file, message }: Pick<Finding, 'file' | 'message'>): string => `  ${file}: ${message}`

/** The same for the log of a server that starts: one line each. */
export function logProject({ taken, findings }: Project, logger: Logger): void {
  for (const { file, message } of taken)
    logger.info({ file }, `Taken over from the project: ${file}: ${message}`)
  for (const { kind, file, message } of findings)
    logger.warn(
      { file, guide: guideOf(kind) },
      `Not run or taken over: ${file}: ${message}; see ${guideOf(kind)}`,
    )
}
