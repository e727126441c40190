import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../code/environment.ts'
import { type Evaluated, evaluateModule } from '../code/evaluate.ts'
import { isPlainObject } from '../code/objects.ts'
import { findModule, parseSource, sourceOf } from '../code/source-file.ts'
import { Unreadable } from '../code/unreadable.ts'
import type { Finding, UsedSetting } from './finding.ts'

/** Collects the notes on a project's configuration. */
export interface Notes {
  readonly used: Pick<UsedSetting[], 'push'>
  readonly findings: Pick<Finding[], 'push'>
}

interface ReadFile {
  readonly file: string
  readonly value: unknown
}

/**
 * Reads `config/<name>.js|ts|json`, with `config/env/<NODE_ENV>/<name>` merged over it, without running it.
 * @returns `undefined` when there is neither.
 */
export function readConfigFile(
  root: string,
  name: string,
  env: Environment,
  notes: Notes,
): ReadFile | undefined {
  const files = ['config', `config/env/${env.NODE_ENV || 'development'}`]
    .map((folder) => configFile(root, `${folder}/${name}`))
    .filter((file) => file !== undefined)
  const read = files.flatMap((file): readonly ReadFile[] => {
    const leave = (message: string) => notes.findings.push({ kind: 'configuration', file, message })
    const found = valueIn(root, file, env)
    if (typeof found === 'string') {
      leave(`it cannot be parsed: ${found}`)
      return []
    }
    for (const code of found.unfollowed) leave(`code that changes the settings is not run ${shown(code)}`)
    return [{ file, value: found.value }]
  })
  const [first, ...rest] = read
  return rest.reduce<ReadFile | undefined>(
    (below, above) => below && { file: below.file, value: merged(below.value, above.value) },
    first,
  )
}

/** The file with that path and any of the extensions of a configuration. */
export const configFile = (root: string, name: string): string | undefined =>
  findModule(root, name) ?? (existsSync(path.join(root, `${name}.json`)) ? `${name}.json` : undefined)

/** @returns the message of the parser when the file cannot be parsed. */
function valueIn(root: string, file: string, env: Environment): Evaluated | string {
  if (file.endsWith('.json')) {
    try {
      const value: unknown = JSON.parse(readFileSync(path.join(root, file), 'utf8'))
      return { value: withExpressions(value, file, env), unfollowed: [] }
    } catch (error) {
      return (error as Error).message
    }
  }
  const source = parseSource(root, file)
  return typeof source === 'string' ? source : evaluateModule(source, env)
}

/** Texts of JSON with expressions and without calls, which Strapi evaluates as template literals. Source: 4.26, `templateConfiguration`. */
function withExpressions(value: unknown, file: string, env: Environment): unknown {
  if (Array.isArray(value)) return value.map((item) => withExpressions(item, file, env))
  if (isPlainObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withExpressions(item, file, env)]),
    )
  if (typeof value !== 'string' || !/\$\{[^()]*\}/.test(value)) return value
  const source = sourceOf(`${file}.js`, `module.exports = \`${value}\``)
  return typeof source === 'string' ? value : evaluateModule(source, env).value
}

/** Objects and lists are merged at every depth, as lodash does it for Strapi; otherwise the upper value replaces the lower one. */
function merged(below: unknown, above: unknown): unknown {
  if (above === undefined) return below
  if (Array.isArray(below) && Array.isArray(above))
    return Array.from({ length: Math.max(below.length, above.length) }, (_, i) => merged(below[i], above[i]))
  if (!isPlainObject(below) || !isPlainObject(above)) return above
  const keys = new Set([...Object.keys(below), ...Object.keys(above)])
  return Object.fromEntries([...keys].map((key) => [key, merged(below[key], above[key])]))
}

/** Reads values of a configuration by their paths, and can list the ones that were not read. */
export class ConfigValues {
  readonly #file: string
  readonly #value: unknown
  readonly #notes: Notes
  /** Prefix of the paths in messages: `upload.config`. */
  readonly #prefix: string
  readonly #seen = new Set<string>()

  constructor(file: string, value: unknown, notes: Notes, prefix = '') {
    this.#file = file
    this.#value = value
    this.#notes = notes
    this.#prefix = prefix
  }

  /** The value at a path, unchecked. */
  peek(at: string): unknown {
    return at
      .split('.')
      .reduce<unknown>((value, key) => (isPlainObject(value) ? value[key] : undefined), this.#value)
  }

  /**
   * Reads a value and notes it; a value that `read` does not accept, or that needs running code, is a finding.
   *
   * @param read Returns `undefined` for a value that is not supported.
   * @param isSecret Leaves the value out of the note.
   */
  take<T>(at: string, read: (value: unknown) => T | undefined, isSecret = false): T | undefined {
    const value = this.peek(at)
    this.ignore(at)
    if (value === undefined || value === null) return undefined
    const result = value instanceof Unreadable ? undefined : read(value)
    if (result === undefined) this.#leave(at, value)
    else
      this.#notes.used.push({
        file: this.#file,
        message: `${this.#name(at)} = ${isSecret ? '(hidden)' : JSON.stringify(value)}`,
      })
    return result
  }

  /** Marks paths whose values do not concern Octavo. */
  ignore(...paths: readonly string[]): void {
    for (const at of paths) this.#seen.add(at)
  }

  /** Adds a finding for every value that was neither read nor ignored. */
  leaveRest(): void {
    this.#leaveBelow('', this.#value)
  }

  #leaveBelow(at: string, value: unknown): void {
    if (this.#seen.has(at) || value === undefined) return
    const isPrefix = at === '' || [...this.#seen].some((seen) => seen.startsWith(`${at}.`))
    if (isPrefix && isPlainObject(value))
      for (const [key, item] of Object.entries(value))
        this.#leaveBelow(at === '' ? key : `${at}.${key}`, item)
    else this.#leave(at, value)
  }

  #leave(at: string, value: unknown): void {
    const what = [this.#name(at), shown(value)].filter((part) => part !== '').join(' ')
    this.#notes.findings.push({
      kind: 'configuration',
      file: this.#file,
      message: `${what} is not used`,
    })
  }

  #name(at: string): string {
    return [this.#prefix, at].filter((part) => part !== '').join('.')
  }
}

/** Only numbers, booleans and code are shown: a text may be a secret. */
function shown(value: unknown): string {
  if (value instanceof Unreadable) return `(line ${value.line}: ${value.code})`
  return typeof value === 'number' || typeof value === 'boolean' ? `(${value})` : ''
}

export const wholeNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined
}
export const yesOrNo = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
export const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
