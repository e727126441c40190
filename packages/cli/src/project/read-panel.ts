import type { Environment } from '../code/environment.ts'
import { ConfigValues, type Notes, readConfigFile, text } from './config-file.ts'

/** Names what of `config/admin`, `config/database` and `config/logger` a move has to take along. Most of them has no meaning without the panel. */
export function readPanel(root: string, env: Environment, notes: Notes): void {
  const admin = readConfigFile(root, 'admin', env, notes)
  if (admin) {
    const values = new ConfigValues(admin.file, admin.value, notes)
    noteSalt(values, admin.file, env, notes)
    // Addresses and looks of the panel, and secrets of its sessions.
    values.ignore(
      ...[
        'url',
        'host',
        'port',
        'path',
        'serveAdminPanel',
        'autoOpen',
        'backend',
        'flags',
        'watchIgnoreFiles',
      ],
      ...['auth.secret', 'auth.domain', 'auth.cookie', 'transfer', 'auditLogs', 'secrets', 'ap'],
    )
    values.leaveRest()
  }
  noteSchema(root, env, notes)
  const logger = readConfigFile(root, 'logger', env, notes)
  if (!logger) return
  const values = new ConfigValues(logger.file, logger.value, notes)
  values.ignore('updates')
  values.leaveRest()
}

/** API tokens that an import takes from a database are accepted with the salt of the old project. */
function noteSalt(values: ConfigValues, file: string, env: Environment, { findings }: Notes): void {
  const salt = values.peek('apiToken.salt')
  values.ignore('apiToken')
  if (salt === undefined || salt === env.API_TOKEN_SALT) return
  findings.push({
    kind: 'configuration',
    file,
    message:
      'apiToken.salt is not that of the variable API_TOKEN_SALT; with its value there, the API tokens of the project are accepted',
  })
}

function noteSchema(root: string, env: Environment, notes: Notes): void {
  const read = readConfigFile(root, 'database', env, { ...notes, findings: { push: () => 0 } })
  if (!read) return
  const at = 'connection.connection.schema'
  const schema = text(new ConfigValues(read.file, read.value, notes).peek(at))
  if (schema === undefined || schema === 'public') return
  const message = `${at} = ${schema}: an import from the database needs --schema ${schema}`
  notes.findings.push({ kind: 'configuration', file: read.file, message })
}
