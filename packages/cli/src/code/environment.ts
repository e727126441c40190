import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { UsageError } from '../usage-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of a project: the process's variables, then those of `.env` or of the file in `ENV_PATH`. @throws UsageError */
export const projectEnvironment = (root: string, own: Environment): Environment => ({
  ...variablesOf(path.resolve(root, own.ENV_PATH ?? '.env')),
  ...own,
})

/**
 * The variables of a file; none without it. A byte order mark would be a part of the first name, and that variable would be missing without
 * a word.
 */
function variablesOf(file: string): Environment {
  if (!existsSync(file)) return {}
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new UsageError(`The variables of ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    })
  }
  if (!isUtf8(bytes)) throw new UsageError(`${file} is not in UTF-8; save it in this encoding`)
  return parseEnv(bytes.toString('utf8').replace(/^\uFEFF/, ''))
}

/**
 * The conversions of `env.int('PORT', 1337)` and its like, by their names; `''` is the plain `env('HOST')`.
 * Source: notes on importing Strapi 4, "Configuration".
 */
export const conversions: Readonly<Record<string, (text: string) => unknown>> = {
  '': (text) => text,
  int: (text) => Number.parseInt(text, 10),
  float: (text) => Number.parseFloat(text),
  bool: (text) => text === 'true',
  json: (text) => JSON.parse(text) as unknown,
  array: (text) =>
    text
      .replace(/^\[|\]$/g, '')
      .split(',')
      .map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2')),
  date: (text) => new Date(text).toISOString(),
}
