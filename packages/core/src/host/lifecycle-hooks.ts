import type { Queryable } from '@octavo/database'
import type { ContentType, Registry } from '../content-type/model.ts'
import { guard, type HookTable, notify } from '../hooks/hook-row.ts'
import { requestHooks } from '../hooks/hooks.ts'
import type { Octavo } from '../octavo.ts'

/** A database before a start, with the definitions of the next one. */
export interface SchemaCheck {
  readonly registry: Registry
  /** For reading; its tables are those of the last start, and may lack what the definitions add. */
  readonly store: Pick<Queryable, 'run'>
}

/** The hooks of an octavo's own life. In a file of their own, since their handlers get the octavo, which runs hooks. */
export const lifecycleHooks = {
  'octavo:start': guard<(octavo: Octavo) => void | Promise<void>>({
    purpose:
      'Prepares the plugin; an error stops the start. `host.start` does the same and provides the result.',
    when: 'once, before the first request',
    before: 'the schema is up to date',
    after: 'the server listens',
  }),
  'schema:check': guard<(check: SchemaCheck) => void | Promise<void>>({
    purpose:
      'Refuses data of a database that `octavo:start` would refuse, with a ConfigurationError that gives the reason and the remedy.',
    when: 'in `octavo check --schema`, which starts nothing; the tables are those of the last start',
    before: 'the changes of the next start are known',
    after: 'they are printed',
  }),
  'octavo:stop': notify<(octavo: Octavo) => void | Promise<void>>({
    purpose: 'Ends the work of the plugin.',
    when: 'once, after the last request; Octavo waits at most 30 s for each handler, and the time `grace` of a server for all of them',
    before: 'no request is in flight',
    after: 'the pool closes',
    patience: 30_000,
  }),
  'content-type:adding': guard<(type: ContentType) => void | Promise<void>>({
    purpose:
      'Refuses a content-type that a program adds at runtime, with a ConfigurationError that says why.',
    when: 'when `addContentType` is called with a new definition; not for types that other processes added',
    before: 'the definition is valid',
    after: 'its table is made and its definition is stored',
  }),
  'content-type:added': notify<(type: ContentType, octavo: Octavo) => void | Promise<void>>({
    purpose: 'Prepares a content-type that is added at runtime. `host.forEachType` covers all content-types.',
    when: 'when a content-type is added at runtime',
    before: 'its table exists',
    after: 'its endpoints answer',
  }),
} satisfies HookTable

export type LifecycleHooks = typeof lifecycleHooks

declare module '../hooks/hooks.ts' {
  interface Hooks extends LifecycleHooks {}
}

/** All hooks of core. */
export const coreHooks = { ...requestHooks, ...lifecycleHooks }
