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

/** Logs the same at the start of a server, one line each. */
export function logProject({ used, findings }: Project, logger: Logger): void {
  for (const { file, message } of used) logger.info({ file }, `Used from the project: ${file}: ${message}`)
  for (const { kind, file, message } of findings)
    logger.warn({ file, guide: guideOf(kind) }, `Not run or used: ${file}: ${message}; see ${guideOf(kind)}`)
}
