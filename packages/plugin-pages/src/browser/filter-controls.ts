import type { ModelAttribute, ModelOperator } from '../query/model.ts'
import { button, element, input, select } from './dom.ts'
import type { Form } from './form.ts'
import type { FilterState } from './state.ts'

/** An attribute that filters and sorts can use, with its dotted path. */
interface Reachable {
  readonly path: string
  readonly attribute: ModelAttribute
}

/** The scalars of the type, and those one relation or component away. */
function reachable({ model, type }: Form): readonly Reachable[] {
  const scalars = (attributes: readonly ModelAttribute[], before = ''): readonly Reachable[] =>
    attributes
      .filter(({ kind, operators }) => kind === 'scalar' && operators.length > 0)
      .map((attribute) => ({ path: `${before}${attribute.name}`, attribute }))
  const below = type.attributes.flatMap(({ name, isPath, target = '' }) => {
    if (!isPath) return []
    const attributes =
      model.types.find(({ uid }) => uid === target)?.attributes ?? model.components[target] ?? []
    return scalars(attributes, `${name}.`)
  })
  return [...scalars(type.attributes), ...below]
}

const pathOptions = (attributes: readonly Reachable[]): readonly (readonly [string, string])[] =>
  attributes.map(({ path }) => [path, path.replace('.', ' › ')])

export function filterControls(form: Form): readonly Node[] {
  const { state, change, rebuild } = form
  const attributes = reachable(form)
  const first = attributes.find(({ path }) => path !== 'id') ?? attributes[0]
  const rows = state.filters.map((filter, index) => filterRow(filter, index, attributes, form))
  const add = button('Add a filter', 'Add a filter', () =>
    rebuild(
      {
        filters: [
          ...current(form),
          { path: first?.path ?? 'id', operator: first?.attribute.operators[0] ?? '$eq', value: '' },
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

function filterRow(
  filter: FilterState,
  index: number,
  attributes: readonly Reachable[],
  form: Form,
): HTMLElement {
  const { model, change, rebuild } = form
  const attribute = attributes.find(({ path }) => path === filter.path)?.attribute
  const replaced = (changes: Partial<FilterState>): readonly FilterState[] =>
    current(form).map((row, i) => (i === index ? { ...row, ...changes } : row))
  const name = `of filter ${index + 1}`
  const path = select(
    `Attribute ${name}`,
    pathOptions(attributes),
    filter.path,
    (value) => {
      const operators = attributes.find((one) => one.path === value)?.attribute.operators ?? []
      const operator = operators.includes(filter.operator) ? filter.operator : (operators[0] ?? '$eq')
      rebuild({ filters: replaced({ path: value, operator }) }, `filter-${index}`)
    },
    true,
  )
  path.querySelector('select')?.setAttribute('id', `filter-${index}`)
  const operator = select(
    `Operator ${name}`,
    (attribute?.operators ?? []).map((one) => [one, `${one} ${model.operators[one]?.meaning ?? ''}`]),
    filter.operator,
    (value) => rebuild({ filters: replaced({ operator: value }) }, `operator-${index}`),
    true,
  )
  operator.querySelector('select')?.setAttribute('id', `operator-${index}`)
  const value = valueControl(filter, `Value ${name}`, attribute, model.operators[filter.operator], (given) =>
    change({ filters: replaced({ value: given }) }),
  )
  const remove = button('Remove', `Remove filter ${index + 1}`, () =>
    rebuild({ filters: current(form).filter((_, i) => i !== index) }, 'add-filter'),
  )
  return element('div', { class: 'row', role: 'group', 'aria-label': `Filter ${index + 1}` }, [
    path,
    operator,
    value,
    remove,
  ])
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
    operator && operator.operand in hints ? hints[operator.operand as keyof typeof hints] : ''
  return input(label, { value, placeholder }, change, true)
}

export function sortControls(form: Form): readonly Node[] {
  const { state, change, rebuild } = form
  const attributes = reachable(form)
  const rows = state.sort.map(({ path, direction }, index) => {
    const replaced = (changes: object) =>
      form.now().sort.map((row, i) => (i === index ? { ...row, ...changes } : row))
    const choice = select(
      `Sort ${index + 1} by`,
      pathOptions(attributes),
      path,
      (value) => change({ sort: replaced({ path: value }) }),
      true,
    )
    choice.querySelector('select')?.setAttribute('id', `sort-${index}`)
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
    rebuild(
      { sort: [...form.now().sort, { path: attributes[0]?.path ?? 'id', direction: 'asc' }] },
      `sort-${state.sort.length}`,
    ),
  )
  add.id = 'add-sort'
  return [...rows, add]
}
