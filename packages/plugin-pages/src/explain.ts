import { type Octavo, OctavoError } from '@octavo/core'
import type { HookHandler } from '@octavo/core/plugin'
import { isOperator } from '@octavo/server'
import { isAudience, type Visit } from './audience.ts'
import type { PagesOptions } from './options.ts'
import { problem } from './problems.ts'

/** The action that permits explanations, and the one that adds the values of their statements. */
export const explainAction = 'plugin::pages.explain'
export const valuesAction = 'plugin::pages.explain-values'

type ReadHook = HookHandler<'server:read'>
type Read = Parameters<ReadHook>[0]

/** Answers reads with `explain=true` with their explanation. Not async for all others, which are nearly all. */
export const explainReads = (octavo: () => Octavo, options: Required<PagesOptions>): ReadHook => {
  const explain = async (request: Read, context: Parameters<ReadHook>[1]): Promise<object | undefined> => {
    const { isRequested, query } = takeExplain(request.query)
    if (!isRequested) return undefined
    const shown = await permitted(octavo(), request, context, options)
    const { replica: _, ...read } = request
    return octavo().explain({ ...read, query }, shown)
  }
  return (request, context) => (request.query.includes('explain') ? explain(request, context) : undefined)
}

/** Removes `explain` from a query string, so that the rest is the same as that of the read. @throws ValidationError */
function takeExplain(query: string): { readonly isRequested: boolean; readonly query: string } {
  const pairs = query.split('&')
  const isExplain = (pair: string): boolean => /^explain(?:=|$)/.test(pair)
  const last = pairs.findLast(isExplain)
  const value = last?.slice('explain='.length)
  if (value !== undefined && value !== 'true' && value !== 'false')
    throw problem('pages/bad-explain', { value: value.slice(0, 40) })
  return { isRequested: value === 'true', query: pairs.filter((pair) => !isExplain(pair)).join('&') }
}

/** @throws ForbiddenError */
async function permitted(
  octavo: Octavo,
  { type, action, state }: Read,
  visit: Visit,
  options: Required<PagesOptions>,
): Promise<{ readonly values: boolean; readonly figures: boolean }> {
  // Only the operator of this machine can read all rows: with `audience: 'everybody'` others see the pages, too.
  if (isAudience(visit, options)) return { values: true, figures: isOperator(visit.req) }
  const { hooks } = octavo
  const hint = options.development
    ? 'they are for requests from this machine, and for callers with the action plugin::pages.explain'
    : 'they need the action plugin::pages.explain'
  if (!hooks.has('server:authorize')) throw problem('pages/explain-forbidden', { hint })
  const may = async (name: string): Promise<boolean> => {
    try {
      await hooks.guard('server:authorize', { name, type: undefined }, state)
      return true
    } catch (error) {
      if (error instanceof OctavoError) return false
      throw error
    }
  }
  if (!(await may(explainAction))) throw problem('pages/explain-forbidden', { hint })
  const values = await may(valuesAction)
  // The rights of the read may depend on the action that was permitted last, which is the read's again.
  await hooks.guard('server:authorize', { name: `${type.uid}.${action}`, type }, state)
  return { values, figures: false }
}
