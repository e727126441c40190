/** The demo, served by the command line in a process of its own. */
import { join } from 'node:path'
import { OctavoProcess, octavo, root } from './processes/octavo-process.ts'

export const demoConfig = join(root, 'apps/demo/octavo.config.ts')

/**
 * Fills an empty database with the demo, and grants every action to everybody, so that requests get far.
 * @param database `file:./folder` or a URL of PostgreSQL.
 * @throws Error with the output of the command that fails.
 */
export async function fillDemo(database: string): Promise<void> {
  await (await startDemo(database)).stop()
  const { code, output } = await octavo([
    ...['permissions', 'grant', 'public', '*', '--config', demoConfig, '--database', database],
  ])
  if (code !== 0) throw new Error(`octavo permissions grant ended with ${code}:\n${output}`)
}

/**
 * Starts the demo and waits until it listens.
 * @param args Further arguments of `octavo start`.
 * @throws Error with the output of the command when it ends before it listens.
 */
export const startDemo = (database: string, ...args: readonly string[]): Promise<OctavoProcess> =>
  OctavoProcess.start({ config: demoConfig, database, args })
