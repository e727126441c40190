import type { ContentType, HookRow, RequestState } from '@octavo/core'
import type { Context } from 'koa'
import type { FileLimits, ReceivedFile } from './body.ts'
import type { Routes } from './routes.ts'

/** What a request is about to do: `api::article.article.find`, or a plugin's own such as `plugin::upload.content-api.find`. */
export interface Action {
  readonly name: string
  /** The content-type whose entries are read or written; `undefined` for a plugin's own route. */
  readonly type: ContentType | undefined
}

/** A plugin that takes the files which come with an entry in one multipart body. */
export interface FileTaker {
  readonly limits: FileLimits
  /** Called when all have arrived, before the entry is written. A throw refuses the request, and must leave nothing behind. */
  readonly take: (files: readonly ReceivedFile[]) => Promise<TakenFiles>
}

export interface TakenFiles {
  /** Added to the state that the write's hooks see. */
  readonly state: RequestState
  /** Called when the entry was not written: what was made of the files goes. */
  readonly undo: () => Promise<void>
}

declare module '@octavo/core' {
  interface Hooks {
    /** Kind: collect. Before: the octavo runs. After: the server listens. Registers the plugin's routes; two for one method and path are an error that names both. */
    'server:routes': (routes: Routes) => void
    /** Kind: decide. Before: the route is found. After: the state is what hooks and facts see. A throw (401) ends the request. */
    'server:authenticate': (context: Context) => RequestState | undefined | Promise<RequestState | undefined>
    /** Kind: collect, merged; what `server:authenticate` answered wins. Before: the route is found. After: as above. For what a request brings besides its caller: languages, say. */
    'server:state': (context: Context) => RequestState | undefined
    /** Kind: guard. Before: the state is known. After: the body is read and the action carried out. A throw (403) ends the request. */
    'server:authorize': (action: Action, state: RequestState) => void | Promise<void>
    /** Kind: decide. Before: the caller may do what it asks; its body is multipart. After: the body is read. Without an answer files are read past. */
    'server:files': (action: Action, state: RequestState) => FileTaker | undefined
  }
}

/** A hook without a row does not compile. */
export const serverHooks = {
  'server:routes': { kind: 'collect', when: 'once, before the server listens; all of them' },
  'server:authenticate': { kind: 'decide', when: 'once per request' },
  'server:state': { kind: 'collect', when: 'once per request; merged' },
  'server:authorize': { kind: 'guard', when: 'once per request' },
  'server:files': { kind: 'decide', when: 'once per multipart create or update' },
} as const satisfies Record<string, HookRow>
