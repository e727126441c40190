import { Archive } from './archive.ts'
import { PostgresSource, type PostgresSourceOptions } from './postgres/postgres.ts'
import type { Source } from './source.ts'
import { SourceError } from './source-error.ts'

export interface SourceOptions extends PostgresSourceOptions {
  /** The passphrase of an encrypted archive. */
  readonly key?: string
}

/**
 * Opens an export archive, or a database by its URL.
 *
 * @param source `export.tar.gz.enc`, `postgres://user:password@host/database`
 * @throws SourceError
 */
export async function openSource(source: string, options: SourceOptions = {}): Promise<Source> {
  if (/^postgres(ql)?:\/\//.test(source)) return PostgresSource.open(source, options)
  if (/^(mysql2?|mariadb|sqlite3?):/.test(source))
    throw new SourceError(
      'projects on MySQL, MariaDB and SQLite come by an archive: run strapi export there.',
    )
  return Archive.open(source, options.key)
}
