import type { KeysOf } from '../known-keys.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import type { OctavoOptions } from './octavo-options.ts'

const limits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, true])) as Readonly<
  Record<keyof Limits, true>
>

/**
 * The options of `createOctavo`, and the further keys of `{ ...loadContentTypes(dir) }`. A new option without a row does
 * not compile.
 */
export const octavoKeys = {
  sources: true,
  extensions: true,
  contentTypes: true,
  components: true,
  plugins: true,
  withoutPlugin: true,
  database: true,
  directDatabase: true,
  connections: true,
  replicas: true,
  durability: true,
  strict: true,
  rest: { defaultLimit: true, maxLimit: true, withCount: true, estimateCountAbove: true },
  limits,
  logger: true,
  trace: true,
  command: true,
  hooks: true,
  absentTypes: true,
} as const satisfies KeysOf<OctavoOptions> & Record<'sources' | 'extensions', true>
