import type { Logger } from '@octavo/core'
import { counted } from '../counted.ts'
import { type Finding, guide, guideOf, nounOf } from './finding.ts'
import type { Project } from './project.ts'

/** The used settings and the findings, for a terminal; findings are grouped by kind, below the guide's section. */
export function projectReport({ used, findings }: Project): readonly string[] {
  const kinds = Map.groupBy(findings, ({ kind }) => kind)
  return [
    ...(used.length === 0 ? [] : ['', 'Used from the project:', ...used.map(line)]),
    ...(findings.length === 0 ? [] : ['', `Not run or used (${counted(findings.length, 'item')}):`]),
    ...[...kinds].flatMap(([kind, list]) => ['', `  see ${guideOf(kind)}`, ...grouped(list)]),
  ]
}

/** From how many files on one line says what they have in common. */
const leastGrouped = 3

/** A line for each finding, and one for several files with the same message, where the first of them is. */
function grouped(findings: readonly Finding[]): readonly string[] {
  const byMessage = Map.groupBy(findings, ({ message }) => message)
  return findings.flatMap((finding) => {
    const same = byMessage.get(finding.message) ?? []
    if (same.length < leastGrouped) return [line(finding)]
    if (same[0] !== finding) return []
    return [
      `  ${counted(same.length, 'file')}: ${finding.message}`,
      ...wrapped(same.map(({ file }) => short(file))).map((names) => `    ${names}`),
    ]
  })
}

/** `article` for the lifecycles of the content-type of that name; any other file by its path. */
const short = (file: string): string =>
  /^src\/api\/([^/]+)\/content-types\/\1\/lifecycles\.\w+$/.exec(file)?.[1] ?? file

/** The names in lines of some 100 characters. */
function wrapped(names: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + name.length < 100) lines[lines.length - 1] = `${last}, ${name}`
    else lines.push(name)
  }
  return lines
}

const line = ({ file, message }: Pick<Finding, 'file' | 'message'>): string => `  ${file}: ${message}`

/** Logs how many there are at the start of a server: of the used settings in one line, and of the findings by kind in another. */
export function logProject({ used, findings }: Project, logger: Logger): void {
  if (used.length > 0)
    logger.info(
      {},
      `${counted(used.length, 'setting')} of the project ${used.length === 1 ? 'is' : 'are'} used; octavo check lists them`,
    )
  if (findings.length === 0) return
  const kinds = [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, list]) =>
    counted(list.length, ...nounOf(kind)),
  )
  logger.warn(
    {},
    `${counted(findings.length, 'item')} of the project ${findings.length === 1 ? 'is' : 'are'} not run or used, ${kinds.join(', ')}; octavo check lists them, with the section of ${guide} about each`,
  )
}
