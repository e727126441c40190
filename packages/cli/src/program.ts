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
import { type OpenApiFlags, printOpenApi } from './commands/openapi.ts'
import { runPluginCommand } from './commands/plugin-command.ts'
import { exitCodes, type ReplayFlags, replayLog } from './commands/replay.ts'
import { type StartFlags, start } from './commands/start.ts'
import { createToken, listTokens, revokeToken, type TokenFlags } from './commands/token.ts'
import { type ExportFlags, exportTo, importFile } from './commands/transfer.ts'
import { type TypesFlags, writeTypes } from './commands/types.ts'
import { generatePlugin, type PluginFlags } from './generate/plugin.ts'
import { generateType, type TypeFlags } from './generate/type.ts'
import type { CommonFlags } from './server-options.ts'
import { UsageError } from './usage-error.ts'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

const examples = `
Examples:
  $ octavo start --content ./content                     serve a folder of content-types, embedded database
  $ octavo start --content . --database postgres://localhost/blog --port 8080
  $ octavo start --content . --database memory:// --seed data.json
  $ octavo start --config octavo.config.ts --workers auto
  $ octavo check --content ./content                     all errors in the definitions
  $ octavo types --content ./content                     octavo-types.d.ts, for createOctavo and @octavo/client
  $ octavo import strapi export.tar.gz                   a Strapi 4 project; octavo import strapi --help
  $ octavo start --from export.tar.gz                    a look at one; nothing stays
  $ octavo generate type article title:string author:relation:author
  $ octavo export backup.json --content ./content
  $ octavo openapi --content ./content --out openapi.json
  $ octavo media check --content ./content               files and their rows (of the plugin upload)`

/** The command line. Its commands throw; {@link run} prints the error. */
export function program(): Command {
  const octavo = new Command('octavo')
    .description('A content REST server: content-types in, endpoints out.')
    .version(version)
    .showHelpAfterError('(see octavo --help)')
    .addHelpText('after', examples)

  common(octavo.command('start').description('serve the content'))
    .option('-s, --seed <file>', 'data file to import first; the database must be empty')
    .option('--from <archive>', 'serve an export of a Strapi 4 project from memory, as a preview')
    .option('-k, --key <passphrase>', 'key of an encrypted archive, for --from')
    .option('-p, --port <number>', 'port to listen on; 0 takes a free one (default: PORT, or 1337)')
    .option('-H, --host <address>', 'address to listen on (default: all)')
    .option('-w, --workers <number>', 'number of processes; auto: one per core (default: 1)')
    .option('--replica <url...>', 'read replicas of the PostgreSQL database')
    .option('--drain <time>', 'time for which requests are accepted after SIGTERM, e.g. 5s', '5s')
    .option('--wait <time>', 'time to wait for a database that does not answer at start, e.g. 60s', '0s')
    .option('--public-read', 'allow everybody to read all content; for trials, refused in production')
    .option('--no-rate-limit', 'turn rate limits off, for tests')
    .action((flags: StartFlags) => start(flags))
  const importing = common(
    octavo
      .command('import')
      .description('import a data file, in one transaction')
      .argument('<file>', 'JSON, as export writes it; - is the standard input'),
  ).action((file: string, flags: CommonFlags) => importFile(file, flags))
  addStrapi(importing)
  common(
    octavo
      .command('export')
      .description('export all content to a data file')
      .argument('<file>', 'file to write; - is the standard output'),
  )
    .option('--format <name>', 'octavo: a data file; strapi: an archive for strapi import --force', 'octavo')
    .option('--media <dir>', 'folder of the files that go into an archive', 'public/uploads')
    .action((file: string, flags: ExportFlags) => exportTo(file, flags))
  common(octavo.command('check').description('check the definitions; changes nothing'))
    .option('--schema', 'list the changes that the next start would make to the database')
    .option(
      '--explain <log>',
      'list the filters and sorts of a request log that no index serves; - reads stdin',
    )
    .option('--counts', 'compare the kept totals of lists (options.totals) with the entries in the database')
    .option('--repair', 'with --counts: count anew what differs')
    .action((flags: CheckFlags) => check(flags))

  common(octavo.command('openapi').description('print the OpenAPI description of all endpoints'))
    .option('-o, --out <file>', 'file to write (default: the standard output)')
    .action((flags: OpenApiFlags) => printOpenApi(flags))

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
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.failed))
    .addHelpText('after', '\nExit codes: 0 all answers agree, 1 some differ, 2 the comparison failed.')
    .action((log: string | undefined, flags: ReplayFlags) => replayLog(log, flags))

  common(octavo.command('types').description('write the TypeScript types of the content-types'))
    .option('-o, --out <file>', 'file to write; - is the standard output', 'octavo-types.d.ts')
    .option('--check', 'write nothing; fail when the file is out of date')
    .option('--import <package...>', 'packages that declare attribute types of their own')
    .action((flags: TypesFlags) => writeTypes(flags))

  const generate = octavo.command('generate').description('add a content-type, or a plugin of your own')
  common(
    generate
      .command('type')
      .description('add a content-type to the folder of content-types')
      .argument('<name>', 'singular name, e.g. blog-post')
      .argument('[attributes...]', 'name:type, e.g. title:string:required author:relation:author'),
  )
    .option('--plural <name>', 'plural name, which is part of the path (default: by the rules of English)')
    .option('--single', 'a single type')
    .option('--draft', 'entries are drafts until they are published')
    .addHelpText('after', attributeExamples)
    .action((name: string, attributes: readonly string[], flags: TypeFlags) =>
      generateType(name, attributes, flags),
    )
  generate
    .command('plugin')
    .description('write the package of a plugin, with its test')
    .argument('<name>', 'name of the plugin, e.g. audit-log')
    .option('--dir <folder>', 'folder of the package (default: plugins/<name>)')
    .action((name: string, flags: PluginFlags) => generatePlugin(name, flags))

  const token = octavo.command('token').description('API tokens for server-to-server requests')
  common(token.command('create').description('create a token and print it, this once'))
    .requiredOption('-n, --name <name>', 'name of the token')
    .option('--read-only', 'permits all reads')
    .option('--full', 'permits everything')
    .option('--action <action...>', 'permits these actions, e.g. api::article.article.find')
    .option('--expires <days>', 'days until it expires (default: never)')
    .action((flags: TokenFlags) => createToken(flags))
  common(token.command('list').description('list tokens')).action((flags: CommonFlags) => listTokens(flags))
  common(
    token.command('revoke').description('revoke a token').argument('<id>', 'id of the token, see token list'),
  ).action((id: string, flags: CommonFlags) => revokeToken(id, flags))

  // Unknown words may be a command of a plugin, which needs the configuration.
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

const attributeExamples = `
Attributes:
  title:string:required           options: required, unique, private
  form:enumeration:news,review
  slug:uid:title                  made from title
  author:relation:author          manyToOne; or author:relation:author:oneToOne
  tags:relation:tag:manyToMany
  cover:media                     pictures:media:multiple
  seo:component:shared.seo        parts:component:shared.part:repeatable
  body:dynamiczone:shared.text,shared.quote`

/** `octavo import strapi`, with the options of every command. */
function addStrapi(importing: Command): void {
  common(
    importing
      .command('strapi')
      .description('import a Strapi 4 project into an empty database, in one transaction')
      .argument('<source>', 'archive of strapi export, or postgres://… of its database'),
  )
    .option('-k, --key <passphrase>', 'key of an encrypted archive')
    .option('--uploads <dir>', 'public/uploads of the project, when the source is a database')
    .option('--schema <name>', 'database schema of the tables')
    .option('--time-zone <zone>', 'time zone of the Strapi server (default: UTC)')
    .option('--media <dir>', 'folder to copy the files to', 'public/uploads')
    .option('--dry-run', 'print a report of the import; write nothing')
    .option('--json', 'report as JSON')
    .option('--skip-invalid <file>', 'leave out invalid entries, and list them in this file')
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

/** User errors, printed as one line. Any other error is printed with its stack. */
const userErrors = [
  UsageError,
  ConfigurationError,
  DefinitionError,
  ImportError,
  OctavoError,
  PluginError,
  SchemaError,
]

/** Runs a command line. The exit code of a failed command is 1, or the one that the command has set. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(argv)
  } catch (error) {
    const known =
      userErrors.some((type) => error instanceof type) || (error instanceof Error && 'code' in error)
    const message = error instanceof Error ? error.message : String(error)
    console.error(known && !process.env.DEBUG ? `octavo: ${message}` : error)
    process.exitCode ||= 1
  }
}
