import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of a project: the process's variables, then those of `.env` or of the file in `ENV_PATH`. */
export function projectEnvironment(root: string, own: Environment): Environment {
  const file = path.resolve(root, own.ENV_PATH ?? '.env')
  return existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...own } : own
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
