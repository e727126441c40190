import { problem } from '../error/problems.ts'
import type { RawValue } from './raw.ts'

/** Parameters of popular plugins of the reference that have no counterpart, and what to write instead. */
const foreign: Readonly<Record<string, { readonly plugin: string; readonly instead: string }>> = {
  pLevel: {
    plugin: 'populate-deep',
    instead: 'write out what to populate, such as populate[blocks][populate]=*',
  },
  customPopulate: {
    plugin: 'custom-populate',
    instead: 'write out what to populate, such as populate[blocks][populate]=*',
  },
}

/**
 * Refuses a parameter of a plugin that is not here: the answer would lack what the client relies on. Other names that
 * nobody declared are ignored.
 * @throws ValidationError `query/foreign-parameter`
 */
export function refuseForeign(name: string): void {
  const found = Object.hasOwn(foreign, name) ? foreign[name] : undefined
  if (found) throw problem('query/foreign-parameter', { at: name, ...found })
}

/**
 * Refuses `populate=deep,3`. The plain `populate=deep` is answered as the reference answers it without the plugin.
 * Source: recorded exchange populate-081.
 * @throws ValidationError `query/foreign-parameter`
 */
export function refuseDeepPopulate(value: RawValue): void {
  if (typeof value === 'string' && /^deep,\d+$/.test(value))
    throw problem('query/foreign-parameter', {
      at: `populate=${value}`,
      plugin: 'populate-deep',
      instead: 'write out what to populate, such as populate[blocks][populate]=*',
    })
}
