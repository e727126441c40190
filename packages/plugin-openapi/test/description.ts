/** An OpenAPI description, as tests look things up in it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

export interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>>
    readonly securitySchemes?: object
  }
}

/** The path template that a path belongs to, and its operation. A template without parameters comes first. */
export function operationOf(
  { paths }: Description,
  method: string,
  path: string,
): { readonly template: string; readonly operation: Operation } | undefined {
  const templates = Object.keys(paths)
    .filter((template) => matches(template, path))
    .sort((a, b) => a.split('{').length - b.split('{').length)
  for (const template of templates) {
    const operation = paths[template]?.[method.toLowerCase()]
    if (operation) return { template, operation }
  }
  return undefined
}

function matches(template: string, path: string): boolean {
  const [expected, given] = [template, path.replace(/\/$/, '')].map((text) => text.toLowerCase().split('/'))
  return (
    expected?.length === given?.length &&
    (expected ?? []).every((part, i) => part === given?.[i] || (part.startsWith('{') && given?.[i] !== ''))
  )
}

/** Validates values against schemas of a description, by JSON pointer. */
export function validator(description: object): (pointer: string, value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false })
  formats.default(ajv)
  ajv.addFormat('binary', true)
  ajv.addFormat('password', true)
  ajv.addSchema(description, 'openapi')
  const known = new Map<string, ValidateFunction>()
  return (pointer, value) => {
    const validate = known.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    known.set(pointer, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }
}

/** `/paths/~1api~1articles/get` */
export const pointer = (...parts: readonly string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/**
 * The description with objects closed: a property that it does not have is a mistake. Clients get it open, so that an
 * attribute that is added breaks none of them.
 */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  const isObject = 'properties' in copy && copy.type === 'object' && !('additionalProperties' in copy)
  return isObject ? { ...copy, additionalProperties: false } : copy
}
