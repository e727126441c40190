import type { KeysOf } from '../known-keys.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import { accepts } from '../option-values.ts'
import type { OctavoOptions } from './octavo-options.ts'

const limits = Object.fromEntries(
  Object.keys(defaultLimits).map((name) => [name, accepts.bound]),
) as Readonly<Record<keyof Limits, typeof accepts.bound>>

/**
 * The options of `createOctavo`, and the further keys of `{ ...loadContentTypes(dir) }`. A new option without a row does
 * not compile.
 */
export const octavoKeys = {
  sources: true,
  extensions: true,
  contentTypes: accepts.definitions('{ article, author }'),
  components: accepts.definitions('{ seo, link }'),
  plugins: true,
  withoutPlugin: accepts.texts('reviews'),
  database: accepts.text('postgres://localhost/site'),
  directDatabase: accepts.text('postgres://localhost/site'),
  connections: accepts.wholeNumber(1),
  replicas: accepts.texts('postgres://replica/site'),
  durability: accepts.oneOf('full', 'relaxed'),
  strict: accepts.flag,
  rest: {
    defaultLimit: accepts.wholeNumber(1),
    maxLimit: accepts.wholeNumber(1),
    withCount: accepts.flag,
    estimateCountAbove: accepts.wholeNumber(0),
  },
  limits,
  logger: accepts.withMethods('debug', 'info', 'warn', 'error', 'child'),
  trace: true,
  command: true,
  hooks: true,
  absentTypes: true,
  privateAttributes: accepts.texts('createdAt'),
} as const satisfies KeysOf<OctavoOptions> & Record<'sources' | 'extensions', true>
