import { convertRelationKinds, type RelationConversion } from '@octavo/core/internal'
import { octavoOptions } from '@octavo/server'
import { counted } from '../counted.ts'
import { createLogger } from '../logger.ts'
import { type CommonFlags, configured } from '../server-options.ts'

export interface ConvertRelationsFlags extends CommonFlags {
  readonly dryRun?: true
}

/** `octavo convert-relations`. Exit code 1 when links do not fit the new kind of their relation. */
export async function convertRelations(flags: ConvertRelationsFlags): Promise<void> {
  const { options } = await configured(flags, await createLogger(flags))
  const dryRun = flags.dryRun === true
  const conversions = await convertRelationKinds(octavoOptions(options), { dryRun })
  console.log(
    conversions.length === 0
      ? 'No relation has links of another kind'
      : conversions.map((conversion) => reportOf(conversion, dryRun)).join('\n'),
  )
  if (conversions.some(({ conflicts }) => conflicts.length > 0)) process.exitCode = 1
}

function reportOf({ attribute, to, links, conflicts }: RelationConversion, dryRun: boolean): string {
  const place = to === 'key' ? 'into its column' : 'into its table of links'
  const which = counted(links, 'link')
  if (conflicts.length === 0) return `${attribute}: ${which} ${dryRun ? 'would be moved' : 'moved'} ${place}`
  return [
    `${attribute}: ${which} not moved ${place}, since these do not fit:`,
    ...conflicts.map(({ id, reason }) => `  ${id} ${reason}`),
  ].join('\n')
}
