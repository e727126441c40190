import { createRequire } from 'node:module'
import {
  ConfigurationError,
  DefinitionError,
  ImportError,
  OctavoError,
  PluginError,
  SchemaError,
} from '@octavo/core'
import { Command } from 'commander'
import { type CheckFlags, check } from './commands/check.ts'
import { type ImportStrapiFlags, importStrapiProject } from './commands/import-strapi.ts'
import { runPluginCommand } from './commands/plugin-command.ts'
import { type ReplayFlags, replayLog } from './commands/replay.ts'
import { type StartFlags, start } from './commands/start.ts'
import { createToken, listTokens, revokeToken, type TokenFlags } from './commands/token.ts'
import { type ExportFlags, exportTo, importFile } from './commands/transfer.ts'
import type { CommonFlags } from './server-options.ts'
import { UsageError } from './usage-error.ts'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

const examples = `
Examples:
  $ octavo start --content ./content                     serve a folder of content-types, embedded database
  $ octavo start --content . --database postgres://localhost/blog --port 8080
  $ octavo start --content . --database memory:// --seed data.json
  $ octavo start --config octavo.config.ts --workers auto
  $ octavo check --content ./content                     every mistake in the definitions
  $ octavo import strapi export.tar.gz                   a Strapi 4 project; octavo import strapi --help
  $ octavo start --from export.tar.gz                    a look at one; nothing stays
  $ octavo export backup.json --content ./content
  $ octavo media check --content ./content               files and their rows (of the plugin upload)`

/** The command line. Its commands throw; {@link run} prints the error. */
export function program(): Command {
  const octavo = new Command('octavo')
    .description('A content REST server: content-types in, endpoints out.')
    .version(version)
    .showHelpAfterError('(octavo --help tells more)')
    .addHelpText('after', examples)

  common(octavo.command('start').description('serve the content'))
    .option('-s, --seed <file>', 'data file to import first; the database must be empty')
    .option('--from <archive>', 'serve an export of a Strapi 4 project from memory, for a look')
    .option('-k, --key <passphrase>', 'key of an encrypted archive, for --from')
    .option('-p, --port <number>', 'port to listen on; 0 takes a free one (default: PORT, or 1337)')
    .option('-H, --host <address>', 'address to listen on (default: every one)')
    .option('-w, --workers <number>', 'processes that serve; auto: one for each core (default: 1)')
    .option('--replica <url...>', 'PostgreSQL servers that follow the database and answer reads')
    .option('--drain <time>', 'time in which SIGTERM still lets requests come, e.g. 5s', '5s')
    .option('--wait <time>', 'time to wait for a database that does not answer at start, e.g. 60s', '0s')
    .option('--public-read', 'let everybody read all content: for trying things out, never in production')
    .option('--no-rate-limit', 'turn limits of request rates off: for tests')
    .action((flags: StartFlags) => start(flags))
  const importing = common(
    octavo
      .command('import')
      .description('import a data file: all of it or nothing')
      .argument('<file>', 'JSON, as export writes it; - is the standard input'),
  ).action((file: string, flags: CommonFlags) => importFile(file, flags))
  addStrapi(importing)
  common(
    octavo
      .command('export')
      .description('export all content to a data file')
      .argument('<file>', 'where to write it; - is the standard output'),
  )
    .option('--format <name>', 'octavo: a data file; strapi: an archive for strapi import --force', 'octavo')
    .option('--media <dir>', 'folder of the files that go into an archive', 'public/uploads')
    .action((file: string, flags: ExportFlags) => exportTo(file, flags))
  common(octavo.command('check').description('check the definitions; changes nothing'))
    .option('--schema', 'tell what the next start would change in the database, dropped indexes included')
    .option(
      '--explain <log>',
      'name filters and sorts in a log of requests that no index serves; - reads stdin',
    )
    .action((flags: CheckFlags) => check(flags))

  octavo
    .command('replay')
    .description('send the reads of a log to two servers and compare the answers; never sends writes')
    .argument('[log]', 'access log, JSON lines, HAR file or list of URLs; - reads stdin')
    .requiredOption('--old <server>', 'the server to compare with, or a recording of its answers')
    .option('--new <server>', 'the server to judge')
    .option('--header <header...>', "sent to both, 'Name: value'")
    .option('--ignore <place...>', "a place that is not compared, e.g. 'data[*].attributes.updatedAt'")
    .option('--rate <number>', 'requests a second, at most')
    .option('--limit <number>', 'distinct requests, at most')
    .option('--sample <part>', 'the part of the requests to send, from 0 to 1')
    .option('--record <file>', 'write the answers of the old server into a file')
    .option('--html <file>', 'write the report as a page')
    .option('--json <file>', 'write the report as JSON')
    .action((log: string | undefined, flags: ReplayFlags) => replayLog(log, flags))

  const token = octavo.command('token').description('tokens by which other servers ask')
  common(token.command('create').description('make one; it is printed this once'))
    .requiredOption('-n, --name <name>', 'what it is for')
    .option('--read-only', 'it may look at everything')
    .option('--full', 'it may do everything')
    .option('--action <action...>', 'what it may do, e.g. api::article.article.find')
    .option('--expires <days>', 'when it ends (default: never)')
    .action((flags: TokenFlags) => createToken(flags))
  common(token.command('list').description('list them')).action((flags: CommonFlags) => listTokens(flags))
  common(token.command('revoke').description('end one').argument('<id>', 'as token list tells')).action(
    (id: string, flags: CommonFlags) => revokeToken(id, flags),
  )

  // What no command is called may be one of a plugin's, which only the configuration tells.
  common(
    octavo
      .command('plugin-command', { isDefault: true, hidden: true })
      .argument('[words...]')
      .allowUnknownOption(),
  ).action((words: readonly string[], flags: CommonFlags) =>
    words.length === 0 ? octavo.help() : runPluginCommand(words, flags),
  )
  return octavo
}

/** `octavo import strapi`, with the options of every command. */
function addStrapi(importing: Command): void {
  common(
    importing
      .command('strapi')
      .description('import a Strapi 4 project into an empty database: all of it or nothing')
      .argument('<source>', 'an archive that strapi export wrote, or postgres://… of its database'),
  )
    .option('-k, --key <passphrase>', 'key of an encrypted archive')
    .option('--uploads <dir>', 'public/uploads of the project, when the source is a database')
    .option('--schema <name>', 'schema of the database that the tables are in')
    .option('--time-zone <zone>', 'zone that the server of the database ran in (default: UTC)')
    .option('--media <dir>', 'folder that the files are copied to', 'public/uploads')
    .option('--dry-run', 'say what would come, what would not and why; write nothing')
    .option('--json', 'report as JSON')
    .option('--skip-invalid <file>', 'leave out what cannot be imported, and list it in this file')
    .addHelpText('after', strapiExamples)
    .action((source: string, _: unknown, command: Command) =>
      importStrapiProject(source, command.optsWithGlobals<ImportStrapiFlags>()),
    )
}

const strapiExamples = `
Without --content and --config the content-types are those of the source; they are written to ./content, and the
settings to octavo.config.ts. A database has no rules of components (required, enum, default): give the components of
the project with --content.

Examples:
  $ octavo import strapi export.tar.gz --dry-run         a report; nothing is written
  $ octavo import strapi export.tar.gz.enc --key "$KEY" --database postgres://localhost/site
  $ octavo import strapi postgres://localhost/old --uploads ../old/public/uploads --content ../old/src`

const common = (command: Command): Command =>
  command
    .option(
      '-c, --config <file>',
      'configuration (default: octavo.config.ts in this folder, if there is one)',
    )
    .option('-C, --content <dir>', 'folder of content-types and components')
    .option('-d, --database <url>', 'memory://, file:./dir or postgres://… (default: file:./.octavo/data)')
    .option('--log <format>', 'pretty or json (default: pretty on a terminal, else json)')

/** Errors that the user can mend: printed as one line. Any other error is printed with its stack. */
const userErrors = [
  UsageError,
  ConfigurationError,
  DefinitionError,
  ImportError,
  OctavoError,
  PluginError,
  SchemaError,
]

/** Runs a command line; the exit code is 1 when it failed. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(argv)
  } catch (error) {
    const known =
      userErrors.some((type) => error instanceof type) || (error instanceof Error && 'code' in error)
    const message = error instanceof Error ? error.message : String(error)
    console.error(known && !process.env.DEBUG ? `octavo: ${message}` : error)
    process.exitCode = 1
  }
}
