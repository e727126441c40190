import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'

/** A button of the toolbar above a text. */
export interface Tool {
  readonly name: string
  readonly label: string
  /** Shown in place of the label: a letter of it in the style that the button gives. */
  readonly sign?: ReactNode
  /** As `aria-keyshortcuts` has them: `Control+B`. */
  readonly keys?: string
  /** Whether the text at the caret has what the button gives. */
  readonly pressed?: boolean
  /** Whether the button does nothing here. It keeps the focus, so that the keyboard does not lose its place. */
  readonly disabled?: boolean
  /** @param byKeyboard Whether the focus stays in the toolbar. */
  readonly run: (byKeyboard: boolean) => void
}

/** A choice of one of several, as that of the kind of a paragraph. */
export interface ToolChoice {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly run: (value: string, byKeyboard: boolean) => void
}

interface ToolbarProps {
  readonly label: string
  /** The id of the text that the tools change. */
  readonly controls: string
  readonly choice?: ToolChoice
  readonly tools: readonly Tool[]
}

const isRightToLeft = (element: Element): boolean => getComputedStyle(element).direction === 'rtl'

/** A row of tools with one stop of the Tab key: the arrow keys move between them. */
export function Toolbar({ label, controls, choice, tools }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<string>()
  const first = choice?.name ?? tools[0]?.name
  const here = at ?? first
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tool]')]
    const index = all.indexOf(document.activeElement as HTMLElement)
    const forward = isRightToLeft(event.currentTarget) ? 'ArrowLeft' : 'ArrowRight'
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: forward === 'ArrowLeft' ? index + 1 : index - 1,
      ArrowRight: forward === 'ArrowRight' ? index + 1 : index - 1,
      Home: 0,
      End: all.length - 1,
    }
    const next = steps[event.key]
    if (next === undefined || index === -1 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }
  return (
    <div
      ref={bar}
      className="tools"
      role="toolbar"
      tabIndex={-1}
      id={`${controls}-tools`}
      aria-label={label}
      // With the name of the text: a page may have several.
      aria-labelledby={`${controls}-tools ${controls}-label`}
      aria-controls={controls}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setAt((target as HTMLElement).dataset.tool ?? first)}
    >
      {choice && <Choice choice={choice} isStop={here === choice.name} />}
      {tools.map(({ name, label, sign, keys, pressed, disabled, run }) => (
        <button
          key={name}
          type="button"
          data-tool={name}
          className="tool"
          tabIndex={here === name ? 0 : -1}
          title={keys === undefined ? label : `${label} (${shownKeys(keys)})`}
          aria-label={label}
          aria-keyshortcuts={keys}
          aria-pressed={pressed}
          aria-disabled={disabled || undefined}
          // The text keeps the focus and its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={({ detail }) => {
            if (!disabled) run(detail === 0)
          }}
        >
          {sign ?? label}
        </button>
      ))}
    </div>
  )
}

function Choice({ choice, isStop }: { choice: ToolChoice; isStop: boolean }) {
  const { name, label, value, options, run } = choice
  const byPointer = useRef(false)
  return (
    <select
      data-tool={name}
      className="tool"
      tabIndex={isStop ? 0 : -1}
      aria-label={label}
      value={value}
      onPointerDown={() => {
        byPointer.current = true
      }}
      onKeyDown={() => {
        byPointer.current = false
      }}
      onChange={({ target }) => run(target.value, !byPointer.current)}
    >
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  )
}

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

/** The name of the key that goes with letters: `Meta` on the devices of one maker. */
export const mod = isApple ? 'Meta' : 'Control'

const shownKeys = (keys: string): string => keys.replace('Control', 'Ctrl').replace('Meta', '⌘')
