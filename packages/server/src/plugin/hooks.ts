import type { ReadRequest, RequestState } from '@octavo/core'
import { collect, decide, guard, isObject, notify, objectResult, register } from '@octavo/core/internal'
import type { HookTable } from '@octavo/core/plugin'
import type { Context } from 'koa'
import type { ReceivedFile } from '../request/body.ts'
import type { FileLimits } from '../request/body-limits.ts'
import type { Action } from './action.ts'
import type { ApiDescription, ApiSchemas } from './describe.ts'
import type { DeskParts } from './desk.ts'
import type { GraphqlSchemaParts } from './graphql.ts'
import type { ManagedRoutes } from './managed.ts'
import type { MiddlewareChain } from './plugin-middleware.ts'
import type { Routes } from './routes.ts'

/** Receives the files that are in the same multipart body as an entry. */
export interface FileReceiver {
  readonly limits: FileLimits
  /** Called when all files have arrived, before the entry is written. If it throws, the request is refused, and it must have undone its own work. */
  readonly take: (files: readonly ReceivedFile[]) => Promise<AcceptedFiles>
}

export interface AcceptedFiles {
  /** Added to the state that the write's hooks see. */
  readonly state: RequestState
  /** Called when the entry was not written, to undo `take`; not after `database/outcome-unknown`. */
  readonly undo: () => Promise<void>
}

/** The hooks of the server. */
export const serverHooks = {
  'server:routes': register<(routes: Routes) => void>({
    purpose: 'Registers routes; two for one method and path are an error that names both plugins.',
    when: 'once, before the server listens; each plugin gets routes under its own name',
    before: 'Octavo has started',
    after: 'the server listens',
  }),
  'server:describe': collect<(schemas: ApiSchemas) => ApiDescription | undefined>({
    purpose: 'Describes the routes, query parameters and attribute types of a plugin, for OpenAPI.',
    when: 'each time that a description of the API is made; all parts are joined',
    before: 'all routes are registered',
    after: 'the description is returned',
    returns: objectResult,
  }),
  'server:start': guard<() => void | Promise<void>>({
    purpose:
      'Prepares a resource that only a server needs, such as a folder for files; an error stops the start. Commands do not run it.',
    when: 'once, when `createServer` makes a server',
    before: 'all routes are registered',
    after: 'the server can listen',
  }),
  'server:listen': notify<(url: string) => void | Promise<void>>({
    purpose: 'Gets the address of the server, after seeds were imported.',
    when: 'each time that the server listens',
    before: 'the server listens',
    after: 'its address is returned to the program',
  }),
  'server:closing': notify<() => void | Promise<void>>({
    purpose: 'Ends responses that would stay open, such as streams of events; new ones must be refused.',
    when: 'once, when the server closes; requests in flight do not wait for it, and have the time `grace`',
    before: 'no new connection is accepted',
    after: 'the requests in flight have ended, then `octavo:stop`',
    patience: 30_000,
  }),
  'server:middleware': register<(chain: MiddlewareChain) => void>({
    purpose:
      'Adds Koa middleware: around requests before the caller is known, or around actions when the caller may do them.',
    when: 'once, before the server listens; the middleware runs in the order of plugins, the first one outermost',
    before: 'Octavo has started',
    after: 'the server listens',
  }),
  'server:graphql': register<(schema: GraphqlSchemaParts) => void>({
    purpose: 'Adds types and operations to the schema of GraphQL, or leaves parts of it out.',
    when: 'once, at the start, and for the printed schema; not on a server without GraphQL',
    before: 'Octavo has started',
    after: 'the schema is checked',
  }),
  'server:desk': register<(desk: DeskParts) => void>({
    purpose:
      'Adds fields, panels, pages, cells and actions to the pages of editors, as modules for browsers.',
    when: 'once, at the start; not on a server without the pages',
    before: 'Octavo has started',
    after: 'the folders are read and their modules served',
  }),
  'server:manage': register<(routes: ManagedRoutes) => void>({
    purpose:
      'Adds routes for people who manage the server, such as the routes of webhooks. A plugin with accounts of these people serves the routes and checks rights.',
    when: 'once, before the server listens; not on a server without such a plugin',
    before: 'Octavo has started',
    after: 'the server listens',
  }),
  'server:authenticate': decide<
    (context: Context) => RequestState | undefined | Promise<RequestState | undefined>
  >({
    purpose: 'Finds the caller; an error (401) ends the request.',
    when: 'once per request',
    before: 'the route is found',
    after: 'hooks and facts see the state',
    returns: objectResult,
  }),
  'server:state': collect<(context: Context) => RequestState | undefined>({
    purpose: 'Adds properties of a request to the state, such as its languages.',
    when: 'once per request; answers are merged, and that of `server:authenticate` has precedence',
    before: 'the route is found',
    after: 'hooks and facts see the state',
    returns: objectResult,
  }),
  'server:authorize': guard<(action: Action, state: RequestState) => void | Promise<void>>({
    purpose: 'Refuses an action; an error (403) ends the request.',
    when: 'once per request',
    before: 'the state is known',
    after: 'the body is read and the action runs',
  }),
  'server:read': decide<
    (request: ReadRequest, context: Context) => object | undefined | Promise<object | undefined>
  >({
    purpose:
      'Answers a read with a JSON object of its own in place of the entries; such answers are not cached.',
    when: 'once per read of a content endpoint',
    before: 'the caller may do the action',
    after: 'the answer is sent',
    returns: objectResult,
  }),
  'server:files': decide<
    (action: Action, state: RequestState) => FileReceiver | undefined | Promise<FileReceiver | undefined>
  >({
    purpose: 'Takes the files of a multipart body; without an answer they are skipped.',
    when: 'once per multipart create or update',
    before: 'the caller may do the action',
    after: 'the body is read',
    returns: {
      expected: 'an object with take and limits, or undefined',
      accepts: (answer) => isObject(answer) && typeof answer.take === 'function' && isObject(answer.limits),
    },
  }),
} satisfies HookTable

type ServerHooks = typeof serverHooks

declare module '@octavo/core/plugin' {
  interface Hooks extends ServerHooks {}
}
