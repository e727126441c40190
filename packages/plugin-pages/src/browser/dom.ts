type Attribute = string | number | boolean | undefined
type Child = Node | string | undefined

/** Listeners by the name of the event. */
type Listeners = Readonly<Record<string, (event: Event) => void>>

/**
 * Makes an element. `true` and `false` set and leave out an attribute; texts are never read as HTML.
 *
 *     element('button', { type: 'button', hidden: false }, ['Run'], { click: run })
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, Attribute>> = {},
  children: readonly Child[] = [],
  listeners: Listeners = {},
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    made.setAttribute(key, value === true ? '' : String(value))
  }
  made.append(...children.filter((child) => child !== undefined))
  for (const [event, listener] of Object.entries(listeners)) made.addEventListener(event, listener)
  return made
}

/** The element with an id. @throws Error when the page has none */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no element "${id}"`)
  return found
}

/** A choice with a label. */
export function select(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  value: string,
  change: (value: string) => void,
  isLabelHidden = false,
): HTMLLabelElement {
  const choice = element(
    'select',
    {},
    options.map(([option, text]) => element('option', { value: option, selected: option === value }, [text])),
  )
  choice.addEventListener('change', () => change(choice.value))
  return element('label', {}, [labelText(label, isLabelHidden), choice])
}

/** An input with a label. */
export function input(
  label: string,
  attributes: Readonly<Record<string, Attribute>>,
  change: (value: string) => void,
  isLabelHidden = false,
): HTMLLabelElement {
  const made = element('input', { type: 'text', autocomplete: 'off', ...attributes })
  made.addEventListener('input', () => change(made.value))
  return element('label', {}, [labelText(label, isLabelHidden), made])
}

export function checkbox(
  label: string,
  checked: boolean,
  change: (checked: boolean) => void,
): HTMLLabelElement {
  const made = element('input', { type: 'checkbox', checked })
  made.addEventListener('change', () => change(made.checked))
  return element('label', { class: 'check' }, [made, label])
}

export const button = (text: string, label: string, click: () => void): HTMLButtonElement =>
  element('button', { type: 'button', ...(label !== text && { 'aria-label': label }) }, [text], { click })

const labelText = (text: string, isHidden: boolean): HTMLSpanElement =>
  element('span', { ...(isHidden && { class: 'hidden' }) }, [text])

/** Copies a text, and confirms it on the button for a moment. */
export async function copy(text: string, from: HTMLElement): Promise<void> {
  await navigator.clipboard.writeText(text)
  const before = from.textContent
  from.textContent = 'Copied'
  setTimeout(() => {
    from.textContent = before
  }, 1500)
}
