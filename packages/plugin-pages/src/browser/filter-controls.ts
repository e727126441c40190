import type { ModelAttribute, ModelOperator } from '../query/model.ts'
import { button, element, input, select } from './dom.ts'
import type { Form } from './form.ts'
import { attributeAt, firstPath, pathControls } from './path-controls.ts'
import type { FilterState } from './state.ts'

export function filterControls(form: Form): readonly Node[] {
  const { state, change, rebuild } = form
  const first = firstPath(form.type.attributes)
  const rows = state.filters.map((filter, index) => filterRow(filter, index, form))
  const add = button('Add a filter', 'Add a filter', () =>
    rebuild(
      {
        filters: [
          ...current(form),
          { path: first, operator: attributeAt(first, form)?.operators[0] ?? '$eq', value: '' },
        ],
      },
      `filter-${state.filters.length}`,
    ),
  )
  add.id = 'add-filter'
  const match =
    rows.length > 1
      ? [
          select(
            'Entries meet',
            [
              ['and', 'all of these'],
              ['or', 'any of these'],
            ],
            state.match,
            (value) => change({ match: value === 'or' ? 'or' : 'and' }),
          ),
        ]
      : []
  return [...match, ...rows, add]
}

/** The filters as the form has them now. */
const current = (form: Form): readonly FilterState[] => form.now().filters

/** The controls of a filter. Controls that depend on another one are made anew when it changes; the used one stays. */
function filterRow(filter: FilterState, index: number, form: Form): HTMLElement {
  const { model, change, rebuild } = form
  const name = `of filter ${index + 1}`
  const now = (): FilterState => current(form)[index] ?? filter
  const set = (changes: Partial<FilterState>): void =>
    change({ filters: current(form).map((row, i) => (i === index ? { ...row, ...changes } : row)) })

  const path = pathControls({
    path: filter.path,
    label: `Attribute ${name}`,
    id: `filter-${index}`,
    form,
    change: (value) => {
      const operators = attributeAt(value, form)?.operators ?? []
      const { operator } = now()
      set({ path: value, operator: operators.includes(operator) ? operator : (operators[0] ?? '$eq') })
      replaceAfter(path, [...comparison(), remove])
    },
  })
  /** Operator and value. */
  const comparison = (): readonly HTMLElement[] => {
    const attribute = attributeAt(now().path, form)
    const value = (): HTMLElement =>
      valueControl(now(), `Value ${name}`, attribute, model.operators[now().operator], (given) =>
        set({ value: given }),
      )
    const operator = select(
      `Operator ${name}`,
      (attribute?.operators ?? []).map((one) => [one, `${one} ${model.operators[one]?.meaning ?? ''}`]),
      now().operator,
      (given) => {
        set({ operator: given })
        replaceAfter(operator, [value(), remove])
      },
      true,
    )
    operator.querySelector('select')?.setAttribute('id', `operator-${index}`)
    return [operator, value()]
  }
  const remove = button('Remove', `Remove filter ${index + 1}`, () =>
    rebuild({ filters: current(form).filter((_, i) => i !== index) }, 'add-filter'),
  )
  return element('div', { class: 'row', role: 'group', 'aria-label': `Filter ${index + 1}` }, [
    path,
    ...comparison(),
    remove,
  ])
}

function replaceAfter(kept: HTMLElement, others: readonly HTMLElement[]): void {
  while (kept.nextSibling) kept.nextSibling.remove()
  kept.after(...others)
}

function valueControl(
  { value }: FilterState,
  label: string,
  attribute: ModelAttribute | undefined,
  operator: ModelOperator | undefined,
  change: (value: string) => void,
): HTMLElement {
  const isOne = operator?.operand === 'one'
  const choices = attribute?.type === 'boolean' ? ['true', 'false'] : attribute?.values
  if (operator?.operand === 'flag' || (isOne && choices)) {
    const values = operator?.operand === 'flag' ? ['true', 'false'] : ['', ...(choices ?? [])]
    return select(
      label,
      values.map((one) => [one, one]),
      value === '' ? (values[0] ?? '') : value,
      change,
      true,
    )
  }
  const hints = { list: 'one, two, three', pair: 'from, to' } as const
  const placeholder =
    operator && operator.operand in hints
      ? hints[operator.operand as keyof typeof hints]
      : (operator?.example ?? '')
  return input(label, { value, placeholder }, change, true)
}

export function sortControls(form: Form): readonly Node[] {
  const { state, change, rebuild } = form
  const rows = state.sort.map(({ path, direction }, index) => {
    const replaced = (changes: object) =>
      form.now().sort.map((row, i) => (i === index ? { ...row, ...changes } : row))
    const choice = pathControls({
      path,
      label: `Sort ${index + 1} by`,
      id: `sort-${index}`,
      form,
      change: (value) => change({ sort: replaced({ path: value }) }),
    })
    return element('div', { class: 'row', role: 'group', 'aria-label': `Sort ${index + 1}` }, [
      choice,
      select(
        `Direction of sort ${index + 1}`,
        [
          ['asc', 'ascending'],
          ['desc', 'descending'],
        ],
        direction,
        (value) => change({ sort: replaced({ direction: value }) }),
        true,
      ),
      button('Remove', `Remove sort ${index + 1}`, () =>
        rebuild({ sort: form.now().sort.filter((_, i) => i !== index) }, 'add-sort'),
      ),
    ])
  })
  const add = button('Add a sort', 'Add a sort', () =>
    rebuild({ sort: [...form.now().sort, { path: 'id', direction: 'asc' }] }, `sort-${state.sort.length}`),
  )
  add.id = 'add-sort'
  return [...rows, add]
}
