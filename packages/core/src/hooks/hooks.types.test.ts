import type { OwnRow, Rows } from '@octavo/database'
import { describe, it } from 'vitest'
import type { PluginHost } from '../host/define.ts'
import { coreHooks } from '../host/lifecycle-hooks.ts'
import { type HookTable, transform } from './hook-row.ts'
import type { HookRunner } from './hook-runner.ts'

/*
 * Snippets that must not compile: `pnpm typecheck` fails when one of these errors is missing. Nothing here runs.
 */
const never = (_snippets: () => void): void => {}

describe('The hook table', () => {
  it('does not compile when it is used wrongly', () => {
    never(() => {
      const host = {} as PluginHost
      const hooks = {} as HookRunner

      // @ts-expect-error: no hook of this name
      host.hook('entry:deleted', () => {})
      // @ts-expect-error: a guard returns nothing
      host.hook('entry:beforeCreate', () => 7)
      // @ts-expect-error: a transform returns the type of its argument
      host.hook('entry:input', () => 'text')
      // @ts-expect-error: a collecting read hook is synchronous
      host.hook('query:node', async () => 'forbid')

      // @ts-expect-error: entry:input is a transform
      hooks.guard('entry:input', {} as never, {} as never)
      // @ts-expect-error: octavo:start is a guard
      hooks.notify('octavo:start', {} as never)
      // @ts-expect-error: entry:strictness is a decision
      hooks.collect('entry:strictness', {} as never)
      // @ts-expect-error: handlers of entry:input can be asynchronous
      hooks.transform('entry:input', {} as never)

      // @ts-expect-error: the return type differs from the argument type
      transform<(value: string) => number>({ purpose: '', when: '', before: '', after: '' })

      const { 'query:meta': _, ...withoutRow } = coreHooks
      // @ts-expect-error: a hook without a row has no handler
      type Missing = (typeof withoutRow)['query:meta']
      ;({}) as Missing satisfies unknown
      withoutRow satisfies HookTable
    })
  })
})

describe('Rows of a declared table', () => {
  it('are typed by its columns', () => {
    never(() => {
      type Row = OwnRow<{ name: { type: 'text' }; used: { type: 'boolean'; nullable: true } }>
      const rows = {} as Rows<Row>
      void rows.insert({ name: 'a' })
      // @ts-expect-error: `name` is missing
      void rows.insert({ used: true })
      // @ts-expect-error: `used` is not a number
      void rows.update({ where: { name: 'a' }, set: { used: 7 } })
      // @ts-expect-error: unknown column
      void rows.find({ where: { nmae: 'a' } })
      // @ts-expect-error: only selected columns are returned
      void rows.first({ select: ['name'] }).then((row) => row?.used)
    })
  })
})
