import type { Command } from 'commander'
import { createToken, listTokens, revokeToken, type TokenFlags } from '../commands/token.ts'
import type { CommonFlags } from '../server-options.ts'
import { common } from './common-options.ts'

export function addToken(octavo: Command): void {
  const token = octavo.command('token').description('API tokens for server-to-server requests')
  common(token.command('create').description('create a token and print it; it is not shown again'))
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
}
