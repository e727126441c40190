import { silentLogger } from '@octavo/database'
import { expect, it } from 'vitest'
import { HookRunner } from '../hooks/hook-runner.ts'
import { coreHooks } from './lifecycle-hooks.ts'

/** Notes the plugins whose handlers ran, in their order. */
function noting() {
  const hooks = new HookRunner(new Map(Object.entries(coreHooks)), silentLogger)
  const ran: string[] = []
  const late = async (name: string): Promise<void> => {
    await new Promise(setImmediate)
    ran.push(name)
  }
  return { hooks, ran, late }
}

it('the handlers of a guard run one after the other, those that answer at once too', async () => {
  const { hooks, ran, late } = noting()
  hooks.add('a', 'octavo:start', () => late('a'))
  hooks.add('b', 'octavo:start', () => void ran.push('b'))
  hooks.add('c', 'octavo:start', () => late('c'))
  await hooks.guard('octavo:start', {} as never)
  expect(ran).toEqual(['a', 'b', 'c'])
})

it('no handler runs after the one that decides, however long those before it took', async () => {
  const { hooks, ran, late } = noting()
  hooks.add('a', 'entry:delete', () => late('a') as Promise<undefined>)
  hooks.add('b', 'entry:delete', () => void ran.push('b') as undefined)
  hooks.add('c', 'entry:delete', async () => {
    await late('c')
    return { title: 'kept' }
  })
  hooks.add('d', 'entry:delete', () => void ran.push('d') as undefined)
  expect(await hooks.decide('entry:delete', {} as never)).toEqual({ title: 'kept' })
  expect(ran).toEqual(['a', 'b', 'c'])
})

it('a handler that returns what it should have registered is refused, and a short function is not', () => {
  const routes = { kind: 'register', purpose: '', when: '', before: '', after: '' } as const
  const register = (handler: (to: object) => unknown) => {
    const hooks = new HookRunner(new Map([['server:routes', routes]]), silentLogger)
    hooks.add('a', 'server:routes' as never, handler as never)
    hooks.register('server:routes' as never, () => ({}) as never)
  }
  for (const answer of [[{ method: 'GET' }], [], { method: 'GET' }])
    expect(() => register(() => answer)).toThrow('Plugin "a" in server:routes: the handler returned a')
  for (const answer of [undefined, 1, true, new Map()]) register(() => answer)
  register((to) => to)
})

it('a handler that throws at once makes its hook fail as one that throws later', async () => {
  const { hooks } = noting()
  const fail = (): never => {
    throw new Error('no')
  }
  hooks.add('a', 'octavo:start', fail)
  hooks.add('b', 'entry:delete', fail)
  const outcomes = [hooks.guard('octavo:start', {} as never), hooks.decide('entry:delete', {} as never)]
  for (const outcome of outcomes) await expect(outcome).rejects.toThrow(': no')
})
