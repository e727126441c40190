import type { ModelAttribute, ModelType, QueryModel } from '../query/model.ts'
import { checkbox, element, input, select } from './dom.ts'
import { filterControls, sortControls } from './filter-controls.ts'
import type { Form } from './form.ts'
import { populateControls } from './populate-controls.ts'
import { emptyState, type QueryState } from './state.ts'

/** The choice of the content-type, which begins another query. */
export const typeControl = (
  { types }: QueryModel,
  path: string,
  choose: (state: QueryState) => void,
): HTMLElement => {
  const paths = types.flatMap(({ path, name }) => (path === undefined ? [] : [[path, name] as const]))
  return select('Content-type', paths, path, (chosen) => choose({ ...emptyState, path: chosen }))
}

/** The controls of a query of a content-type. */
export function controls(form: Form): readonly Node[] {
  const { type, state, change } = form
  const isList = !type.isSingle
  return [
    ...(isList
      ? [
          input('Id of one entry', { value: state.id, inputmode: 'numeric', placeholder: 'all' }, (id) =>
            change({ id }),
          ),
        ]
      : []),
    group('Fields', [
      element('p', { class: 'hint' }, ['None checked: all fields.']),
      element(
        'div',
        { class: 'checks' },
        fieldsOf(type).map(({ name }) => fieldControl(name, form)),
      ),
    ]),
    group('Filters', filterControls(form)),
    group('Sort', sortControls(form)),
    group('Population', populateControls(form)),
    ...(isList ? [group('Pages', [pageControls(form)])] : []),
    ...variantControls(form),
    input('Search', { type: 'search', value: state.search }, (search) => change({ search })),
  ]
}

const fieldsOf = (type: ModelType): readonly ModelAttribute[] =>
  type.attributes.filter(({ kind, name }) => kind === 'scalar' && name !== 'id')

const fieldControl = (name: string, { state, change, now }: Form): HTMLElement =>
  checkbox(name, state.fields.includes(name), (checked) => {
    const others = now().fields.filter((field) => field !== name)
    change({ fields: checked ? [...others, name] : others })
  })

const pageControls = ({ state, change }: Form): HTMLElement =>
  element('div', { class: 'row' }, [
    input('Page', { type: 'number', min: 1, value: state.page, placeholder: '1' }, (page) =>
      change({ page }),
    ),
    input(
      'Entries per page',
      { type: 'number', min: 1, value: state.pageSize, placeholder: '25' },
      (pageSize) => change({ pageSize }),
    ),
  ])

function variantControls({ model, type, state, change }: Form): readonly Node[] {
  const locales = model.locales.map((code) => [code, code] as const)
  return [
    ...(type.isLocalized
      ? [
          select('Locale', [['', 'default'], ...locales, ['all', 'all']], state.locale, (locale) =>
            change({ locale }),
          ),
        ]
      : []),
    ...(type.hasDrafts
      ? [
          select(
            'Publication state',
            [
              ['', 'live: published entries'],
              ['preview', 'preview: drafts as well'],
            ],
            state.publicationState,
            (value) => change({ publicationState: value === 'preview' ? 'preview' : '' }),
          ),
        ]
      : []),
  ]
}

const group = (name: string, children: readonly Node[]): HTMLElement =>
  element('fieldset', {}, [element('legend', {}, [name]), ...children])
