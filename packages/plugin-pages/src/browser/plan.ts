import type { ExplainedPruning, ExplainedStep, Explanation } from '@octavo/core'
import { wordsOf } from './condition-words.ts'
import { element } from './dom.ts'

/** Shows the omitted parts, with the plugins that omit them. */
export function showPruned({ pruned, refused }: Explanation, into: HTMLElement): void {
  into.replaceChildren(
    ...(refused
      ? [element('p', { class: 'refused' }, [`The read is refused: ${refused.message} (${refused.code})`])]
      : []),
    pruned.length === 0
      ? element('p', {}, ['No parts are omitted.'])
      : element(
          'ul',
          { class: 'pruned' },
          grouped(pruned).map((group) => element('li', {}, sentence(group))),
        ),
  )
}

/**
 * Attributes that are hidden at one place by one plugin are one group, and so is one condition of a plugin at several places;
 * anything else is a group of its own.
 */
function grouped(
  pruned: readonly ExplainedPruning[],
): readonly (readonly [ExplainedPruning, ...ExplainedPruning[]])[] {
  const groups = new Map<string, [ExplainedPruning, ...ExplainedPruning[]]>()
  for (const [i, one] of pruned.entries()) {
    const key =
      one.kind === 'hidden'
        ? JSON.stringify([one.by, one.at, one.model])
        : one.kind === 'narrowed' && one.hides === undefined
          ? JSON.stringify([one.by, one.model, one.condition])
          : String(i)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()].toSorted(
    ([one], [other]) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind),
  )
}

/** The order of the list: parts that concern most entries are first. */
const kinds: readonly ExplainedPruning['kind'][] = ['unknown', 'forbidden', 'narrowed', 'hidden']

type Words = readonly (Node | string)[]

function sentence(group: readonly [ExplainedPruning, ...ExplainedPruning[]]): Words {
  const [{ kind, by, at, model, condition, hides }] = group
  const who = element('strong', {}, [by])
  const place: Words = at === '' ? [] : [' at ', element('code', {}, [at])]
  const names: Words = group.flatMap(({ attribute = '' }, i) => [
    ...(i === 0 ? [] : [', ']),
    element('code', {}, [attribute]),
  ])
  switch (kind) {
    case 'narrowed':
      return [
        who,
        ` reads only entries of ${model} whose ${wordsOf(condition, by)}`,
        ...places(group),
        ...(hides === undefined ? ['.'] : [`. ${counted(hides)} left out.`]),
      ]
    case 'forbidden':
      return [who, ` permits this caller no entry of ${model}`, ...place, '.']
    case 'hidden':
      return by === 'definition'
        ? [...names, ` of ${model}`, ...place, ' cannot be read by any caller: private in the definition.']
        : [who, ' hides ', ...names, ` of ${model}`, ...place, ' from this caller.']
    case 'unknown':
      return [model, ' has nothing to populate under the name ', ...names, '.']
  }
}

/** ` at populate[author] and filters[author]` */
const places = (group: readonly ExplainedPruning[]): Words =>
  group
    .filter(({ at }) => at !== '')
    .flatMap(({ at }, i) => [i === 0 ? ' at ' : ' and ', element('code', {}, [at])])

const counted = (count: number): string =>
  count === 0 ? 'No entry is' : count === 1 ? '1 entry is' : `${count} entries are`

/** Shows the statement, its times, and PostgreSQL's steps as a tree. */
export function showPlan({ cache, statement, plan, times }: Explanation, into: HTMLElement): void {
  if (!statement) return
  const facts: readonly (readonly [string, string])[] = [
    ...(cache === undefined ? [] : [['Statement cache', cache] as const]),
    ...Object.entries(times).map(([name, time]): [string, string] => [
      labels[name] ?? name,
      milliseconds(time),
    ]),
  ]
  into.replaceChildren(
    element(
      'dl',
      { class: 'facts' },
      facts.map(([name, value]) =>
        element('div', {}, [element('dt', {}, [name]), element('dd', {}, [value])]),
      ),
    ),
    plan
      ? element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Plan of PostgreSQL' }, [
          element('ul', { class: 'tree', 'aria-label': 'Steps of PostgreSQL' }, [
            stepOf(plan, Math.max(plan.time, 0.001)),
          ]),
        ])
      : element('p', {}, [
          'Steps and numbers of rows are for callers who may read all entries of the query.',
        ]),
    element('details', {}, [
      element('summary', {}, ['SQL']),
      element('pre', { class: 'statement', tabindex: 0, role: 'region', 'aria-label': 'SQL' }, [
        element('code', {}, [statement.text]),
      ]),
      ...(statement.values
        ? [
            element(
              'ol',
              { class: 'values' },
              statement.values.map((value) =>
                element('li', {}, [element('code', {}, [JSON.stringify(value)])]),
              ),
            ),
          ]
        : []),
    ]),
  )
}

const labels: Readonly<Record<string, string>> = {
  parse: 'Parse',
  resolve: 'Resolve',
  compile: 'Compile',
  plan: 'PostgreSQL plans',
  execute: 'PostgreSQL runs',
}

/** @param whole The time of the whole plan, in milliseconds. */
function stepOf(step: ExplainedStep, whole: number): HTMLElement {
  const { type, table, index, name, rows, estimatedRows, removedRows, loops, time, conditions = [] } = step
  const title = [type, table && `on ${table}`, index && `by ${index}`].filter(Boolean).join(' ')
  const isRun = loops > 0
  const figures = isRun
    ? [
        rows === 1 ? '1 row' : `${amount(rows)} rows`,
        `estimated ${amount(estimatedRows * loops)}`,
        ...(removedRows === undefined ? [] : [`${amount(removedRows)} read in vain`]),
        milliseconds(time),
      ]
    : ['not run']
  return element('li', {}, [
    element('div', { class: isRun ? 'step' : 'step quiet' }, [
      ...(name === undefined ? [] : [element('span', { class: 'subplan' }, [`${name} `])]),
      element('strong', {}, [title]),
      element('span', { class: 'figures' }, [figures.join(' · ')]),
      ...(isRun
        ? [
            element('meter', {
              min: 0,
              max: whole.toFixed(3),
              value: Math.min(time, whole).toFixed(3),
              'aria-label': `Share of the time: ${title}`,
            }),
          ]
        : []),
      ...conditions.map((condition) => element('code', { class: 'condition' }, [condition])),
    ]),
    step.steps.length === 0
      ? undefined
      : element(
          'ul',
          { class: 'branch' },
          step.steps.map((below) => stepOf(below, whole)),
        ),
  ])
}

const amount = (value: number): string =>
  new Intl.NumberFormat('en', { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)

const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
