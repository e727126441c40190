import { checkDefinitions } from '@octavo/core'
import { octavoOptions } from '@octavo/server'
import { createLogger } from '../logger.ts'
import { type CommonFlags, configured } from '../server-options.ts'

/** `octavo check`: says what is there, or every mistake at once. Opens no database. */
export async function check(flags: CommonFlags): Promise<void> {
  const { options } = await configured(flags, createLogger())
  const { contentTypes, components } = checkDefinitions(octavoOptions(options))
  console.log(`${contentTypes.size} content-types and ${components.size} components, no mistakes`)
}
