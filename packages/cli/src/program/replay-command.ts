import type { Command } from 'commander'
import { exitCodes, type ReplayFlags, replayLog } from '../commands/replay.ts'

export function addReplay(octavo: Command): void {
  octavo
    .command('replay')
    .description('send the reads of a log to two servers and compare the answers; never sends writes')
    .argument('[log]', 'access log, JSON lines, HAR file or list of URLs; - reads stdin')
    .requiredOption('--old <server>', 'the server to compare with, or a recording of its answers')
    .option('--new <server>', 'the server to test')
    .option('--header <header...>', "sent to both, 'Name: value'")
    .option('--ignore <place...>', "a place that is not compared, e.g. 'data[*].attributes.updatedAt'")
    .option('--rate <number>', 'maximum requests per second')
    .option('--limit <number>', 'maximum distinct requests')
    .option('--sample <part>', 'share of the requests to send, from 0 to 1')
    .option('--record <file>', 'write the answers of the old server into a file')
    .option('--html <file>', 'write the report as an HTML page')
    .option('--json <file>', 'write the report as JSON')
    .exitOverride((error) => {
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.failed
      throw error
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 all answers agree or differ deliberately, 1 some differ otherwise, 2 the comparison failed.',
    )
    .action((log: string | undefined, flags: ReplayFlags) => replayLog(log, flags))
}
