import type { ModelAttribute, ModelType, QueryModel } from '../query/model.ts'
import { element, select } from './dom.ts'
import type { Form } from './form.ts'

/** The attributes of a content-type or component, by its uid. */
export const attributesOf = (model: QueryModel, uid = ''): readonly ModelAttribute[] =>
  model.types.find((type) => type.uid === uid)?.attributes ?? model.components[uid] ?? []

/** A step of a path: the attributes to choose from, and the chosen one. */
interface Step {
  /** The path of the attributes before it. */
  readonly before: readonly string[]
  readonly choices: readonly ModelAttribute[]
  readonly chosen: ModelAttribute | undefined
}

/** The scalar at the end of a dotted path, such as `author.articles.title`; `undefined` for a path that does not exist. */
export function attributeAt(
  path: string,
  { model, type }: Pick<Form, 'model' | 'type'>,
): ModelAttribute | undefined {
  const last = stepsOf(path, model, type).at(-1)
  return last?.chosen?.kind === 'scalar' ? last.chosen : undefined
}

/** The path of the first attribute but the id, after a path of relations and components. */
export function firstPath(attributes: readonly ModelAttribute[], before = ''): string {
  const scalars = attributes.filter(isCompared)
  const first = scalars.find(({ name }) => name !== 'id') ?? scalars[0]
  return `${before}${first?.name ?? 'id'}`
}

const isCompared = ({ kind, operators }: ModelAttribute): boolean => kind === 'scalar' && operators.length > 0

/** The steps of a path, up to the limits of the server. They end at a scalar, or at a name that does not exist. */
function stepsOf(path: string, model: QueryModel, type: ModelType): readonly Step[] {
  const steps: Step[] = []
  const before: string[] = []
  let attributes = type.attributes
  let many = 0
  for (const name of path.split('.')) {
    const mayGoOn = before.length < model.pathSteps
    const mayMultiply = many < model.manySteps
    const choices = attributes.filter((attribute) =>
      attribute.kind === 'scalar'
        ? isCompared(attribute)
        : attribute.isPath && mayGoOn && (mayMultiply || !attribute.isMany),
    )
    const chosen = choices.find((choice) => choice.name === name)
    steps.push({ before: [...before], choices, chosen })
    if (!chosen || chosen.kind === 'scalar') break
    if (chosen.isMany) many += 1
    before.push(name)
    attributes = attributesOf(model, chosen.target)
  }
  return steps
}

export interface PathOptions {
  readonly path: string
  /** The name of the first control; the others add the path that leads to them. */
  readonly label: string
  /** The id of the first control; the others add their number. */
  readonly id: string
  readonly form: Form
  readonly change: (path: string) => void
}

/**
 * A control for each step of a path: a relation or component is followed by a control with the attributes that it leads to.
 * The control that is used stays, so that the keyboard can go on in it.
 *
 *     [author ›] [articles ›] [title]
 */
export function pathControls({ path, label, id, form, change }: PathOptions): HTMLElement {
  const { model, type } = form
  const place = element('div', { class: 'path' })
  const control = (step: Step, index: number): HTMLElement => {
    const start = step.before.map((name) => `${name}.`).join('')
    const choice = select(
      index === 0 ? label : `${label}, in ${step.before.join(' › ')}`,
      optionsOf(step),
      step.chosen?.name ?? '',
      (name) => {
        const next = step.choices.find((one) => one.name === name)
        const given =
          next && next.kind !== 'scalar'
            ? firstPath(attributesOf(model, next.target), `${start}${name}.`)
            : `${start}${name}`
        while (place.lastChild && place.lastChild !== choice) place.lastChild.remove()
        place.append(...controlsOf(given, index + 1))
        change(given)
      },
      true,
    )
    choice.querySelector('select')?.setAttribute('id', index === 0 ? id : `${id}-${index}`)
    return choice
  }
  /** The controls of a path, without the first ones. */
  const controlsOf = (given: string, from: number): readonly HTMLElement[] =>
    stepsOf(given, model, type)
      .map((step, index) => ({ step, index }))
      .slice(from)
      .map(({ step, index }) => control(step, index))
  place.append(...controlsOf(path, 0))
  return place
}

/** Scalars first, then relations and components. */
function optionsOf({ choices, chosen }: Step): readonly (readonly [string, string])[] {
  const isScalar = ({ kind }: ModelAttribute): boolean => kind === 'scalar'
  return [
    ...(chosen ? [] : [['', 'choose'] as const]),
    ...choices.filter(isScalar).map(({ name }) => [name, name] as const),
    ...choices.filter((one) => !isScalar(one)).map(({ name }) => [name, `${name} ›`] as const),
  ]
}
