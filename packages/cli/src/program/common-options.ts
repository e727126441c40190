import type { Command } from 'commander'

/** Adds the options of the commands that read a project: configuration, content, database and log. */
export const common = (command: Command): Command =>
  command
    .option(
      '-c, --config <file>',
      'configuration (default: octavo.config.ts in this folder, if there is one)',
    )
    .option(
      '-C, --content <dir>',
      'folder of content-types and components, in place of a configuration in this folder',
    )
    .option('-d, --database <url>', 'memory://, file:./dir or postgres://… (default: file:./.octavo/data)')
    .option('--log <format>', 'pretty or json (default: pretty on a terminal, else json)')
