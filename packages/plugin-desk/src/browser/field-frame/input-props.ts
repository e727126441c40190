import type { ScalarNode } from '../../form/index.ts'
import type { ControlProps } from './frame.tsx'

/** The properties of an input of a single value. */
export interface InputProps {
  readonly node: ScalarNode
  readonly control: ControlProps
  readonly readOnly: boolean
  readonly placeholder: string | undefined
  /** The value as a text. */
  readonly shown: string
  /** Sets the value of a text; an empty one is none. */
  readonly write: (text: string) => void
}
