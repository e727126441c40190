import type { CorsOptions } from '@octavo/server'
import bytes from 'bytes'
import type { Environment } from '../code/environment.ts'
import { isPlainObject } from '../code/objects.ts'
import { Unreadable } from '../code/unreadable.ts'
import { ConfigValues, type Notes, readConfigFile, text, texts, yesOrNo } from './config-file.ts'

interface Middlewares {
  readonly cors?: CorsOptions
  /** Bytes of a JSON or form body. */
  readonly bodySize?: number
  /** Bytes of an uploaded file. */
  readonly fileSize?: number
}

/** Reads `config/middlewares`: limits and origins of the built-in middlewares, and the names of all others. */
export function readMiddlewares(root: string, env: Environment, notes: Notes): Middlewares {
  const read = readConfigFile(root, 'middlewares', env, notes)
  if (!read) return {}
  const { file, value } = read
  if (!Array.isArray(value)) {
    new ConfigValues(file, value, notes).leaveRest()
    return {}
  }
  return Object.assign({}, ...value.map((item: unknown) => readOne(file, item, notes))) as Middlewares
}

function readOne(file: string, item: unknown, notes: Notes): Middlewares {
  const name = typeof item === 'string' ? item : isPlainObject(item) ? (item.name ?? item.resolve) : item
  if (typeof name !== 'string' || !name.startsWith('strapi::')) {
    const shown = name instanceof Unreadable ? `${name.code} (line ${name.line})` : String(name)
    notes.findings.push({
      kind: 'middleware',
      file,
      message: `the middleware ${shown} runs on every request`,
    })
    return {}
  }
  if (!isPlainObject(item) || item.config === undefined) return {}
  const values = new ConfigValues(file, item.config, notes, name)
  const found = name === 'strapi::cors' ? readCors(values) : name === 'strapi::body' ? readBody(values) : {}
  values.leaveRest()
  return found
}

function readCors(values: ConfigValues): Middlewares {
  const origins = values.take('origin', (origin) => {
    const list = typeof origin === 'string' ? origin.split(',').map((one) => one.trim()) : texts(origin)
    return list?.includes('*') ? '*' : list
  })
  const credentials = values.take('credentials', yesOrNo)
  if (values.peek('enabled') === true) values.ignore('enabled')
  if (origins === undefined) return {}
  // The reference server allows credentials by default; Octavo never allows them for all origins.
  return { cors: origins === '*' ? { origins } : { origins, credentials: credentials ?? true } }
}

function readBody(values: ConfigValues): Middlewares {
  const sizes = [
    values.take('jsonLimit', size),
    values.take('formLimit', size),
    values.take('textLimit', size),
  ].filter((limit) => limit !== undefined)
  const fileSize =
    values.take('formidable.maxFileSize', size) ?? values.take('formidable.maxFileLength', size)
  return {
    ...(sizes.length > 0 && { bodySize: Math.max(...sizes) }),
    ...(fileSize !== undefined && { fileSize }),
  }
}

/** Bytes of `1mb`, `"1048576"` or a number. */
export function size(value: unknown): number | undefined {
  const read =
    typeof value === 'number' ? value : text(value) === undefined ? null : bytes.parse(String(value))
  return read !== null && Number.isFinite(read) && read > 0 ? Math.floor(read) : undefined
}
