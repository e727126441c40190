/** The commands that serve, move and check the content of a project. */
import type { Command } from 'commander'
import { type CheckFlags, check } from '../commands/check.ts'
import { type ConvertRelationsFlags, convertRelations } from '../commands/convert-relations.ts'
import { type FillFlags, fill } from '../commands/fill.ts'
import { type ImportStrapiFlags, importStrapiProject } from '../commands/import-strapi.ts'
import { type OpenApiFlags, printOpenApi } from '../commands/openapi.ts'
import { type StartFlags, start } from '../commands/start.ts'
import { type ExportFlags, exportTo, importFile } from '../commands/transfer.ts'
import type { CommonFlags } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'
import { startWatched } from '../watch.ts'
import { common } from './common-options.ts'

export function addStart(octavo: Command): void {
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
    .option('--watch', 'start again when a file of the project changes, for development')
    .action((flags: StartFlags) => (flags.watch ? startWatched(flags, process.argv) : start(flags)))
}

export function addTransfer(octavo: Command): void {
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
}

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

export function addCheck(octavo: Command): void {
  common(
    octavo
      .command('check')
      .description('check the definitions; changes nothing')
      .argument('[content]', 'a folder, as with --content'),
  )
    .option('--schema', 'list the changes that the next start would make to the database')
    .option(
      '--explain <log>',
      'list the filters and sorts of a request log that no index serves; - reads stdin',
    )
    .option(
      '--counts',
      'compare kept totals (options.totals), indexes and links with the entries in the database',
    )
    .option('--repair', 'with --counts: repair the differences')
    .action((content: string | undefined, flags: CheckFlags) => check(withContent(content, flags)))
  common(
    octavo
      .command('convert-relations')
      .description('move the links of relations that became another kind, such as many-to-many'),
  )
    .option('--dry-run', 'list the links that would be moved, and those that do not fit; changes nothing')
    .action((flags: ConvertRelationsFlags) => convertRelations(flags))
}

export function addMigrate(octavo: Command): void {
  const migrate = octavo.command('migrate').description('adapt entries to changed content-types')
  common(
    migrate
      .command('fill')
      .description(
        'write a value into all entries that have none; without an attribute: list those that lack values',
      )
      .argument('[attribute]', 'content-type and attribute, e.g. articles.summary'),
  )
    .option(
      '--value <value>',
      'the value; JSON for attributes of JSON (default: the default of the attribute)',
    )
    .option('--dry-run', 'count the entries; change nothing')
    .action((attribute: string | undefined, flags: FillFlags) => fill(attribute, flags))
}

/** @throws UsageError for two folders */
function withContent(content: string | undefined, flags: CheckFlags): CheckFlags {
  if (content === undefined) return flags
  if (flags.content !== undefined)
    throw new UsageError(`check takes one folder, not both ${content} and --content ${flags.content}`)
  return { ...flags, content }
}

export function addOpenApi(octavo: Command): void {
  common(octavo.command('openapi').description('print the OpenAPI description of all endpoints'))
    .option('-o, --out <file>', 'file to write (default: the standard output)')
    .action((flags: OpenApiFlags) => printOpenApi(flags))
}
