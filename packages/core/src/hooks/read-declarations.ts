import type { DeclaredOperators } from '../operator/added.ts'
import type { ParamReader } from '../plugin/param-reader.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { HookRunner } from './hook-runner.ts'

/** The declarations of all plugins that reads depend on. */
export interface ReadDeclarations {
  readonly hooks: HookRunner
  readonly params: ReadonlyMap<string, ParamReader<unknown>>
  /** The operators of `filters` that plugins declared, by name. */
  readonly operators: DeclaredOperators
  readonly facts: ReadonlyMap<string, (state: RequestState) => string>
  readonly runtimeValues: ReadonlyMap<string, (state: RequestState) => string | number | boolean | null>
}
