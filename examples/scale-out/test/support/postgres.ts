import { globSync } from 'node:fs'
import { find } from './processes.ts'

/** A program of PostgreSQL: Debian has those of servers outside of the path. The newest version is taken. */
export const findPostgres = (name: string): string | undefined =>
  globSync(`/usr/lib/postgresql/*/bin/${name}`)
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1) ?? find(name)
