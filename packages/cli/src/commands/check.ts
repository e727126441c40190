import { checkDefinitions, planSchema } from '@octavo/core'
import { octavoOptions } from '@octavo/server'
import { createLogger } from '../logger.ts'
import { type CommonFlags, configured } from '../server-options.ts'

export interface CheckFlags extends CommonFlags {
  readonly schema?: true
}

/** `octavo check`: says what is there, or every mistake at once. Opens the database for `--schema` only. */
export async function check(flags: CheckFlags): Promise<void> {
  const { options } = await configured(flags, createLogger())
  const { contentTypes, components } = checkDefinitions(octavoOptions(options))
  console.log(`${contentTypes.size} content-types and ${components.size} components, no mistakes`)
  if (flags.schema) console.log(schemaReport((await planSchema(octavoOptions(options))).statements))
}

/** What the next start would do; what it would drop, which are indexes and keys that are declared no more, first. */
function schemaReport(statements: readonly string[]): string {
  if (statements.length === 0) return 'The database has all that they need'
  const drops = statements.filter((statement) => /\bdrop\b/i.test(statement))
  const others = statements.filter((statement) => !drops.includes(statement))
  const list = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]
  return [
    ...list('The next start drops what is declared no more:', drops),
    ...list('The next start adds:', others),
  ].join('\n')
}
