import type { ModelAttribute } from '../query/model.ts'
import { checkbox, element } from './dom.ts'
import type { Form } from './form.ts'
import { attributesOf } from './path-controls.ts'

/** A tree of checkboxes: what a checked relation or component leads to is below it. */
export function populateControls(form: Form): readonly Node[] {
  const tree = branch(form.type.attributes, '', form)
  return tree ? [tree] : [element('p', { class: 'hint' }, ['There is nothing to populate.'])]
}

function branch(attributes: readonly ModelAttribute[], before: string, form: Form): HTMLElement | undefined {
  const named = attributes.filter(({ kind }) => kind !== 'scalar')
  if (named.length === 0 || before.split('.').length > form.model.populateDepth) return undefined
  return element(
    'ul',
    { class: 'populate' },
    named.map((attribute) => twig(attribute, before, form)),
  )
}

function twig({ name, target = '' }: ModelAttribute, before: string, form: Form): HTMLElement {
  const { model, rebuild, state } = form
  const path = `${before}${name}`
  const isChecked = state.populate.includes(path)
  const box = checkbox(name, isChecked, (checked) => {
    const others = form.now().populate.filter((one) => one !== path && !one.startsWith(`${path}.`))
    rebuild({ populate: checked ? [...others, path] : others }, `populate-${path}`)
  })
  box.querySelector('input')?.setAttribute('id', `populate-${path}`)
  const below = isChecked ? branch(attributesOf(model, target), `${path}.`, form) : undefined
  return element('li', {}, [box, below])
}
