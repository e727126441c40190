import { useId, useState } from 'react'
import { useText } from '../text/index.ts'
import type { FocalPoint } from './files.ts'

interface FocalPictureProps {
  readonly src: string
  readonly alt: string
  readonly point: FocalPoint | null
  /** Absent where the point cannot be set. */
  readonly onPoint: ((point: FocalPoint | null) => void) | undefined
}

const middle: FocalPoint = { x: 50, y: 50 }

/** A whole picture with the point that stays in sight when it is cut: set by a click, or by two numbers. */
export function FocalPicture({ src, alt, point, onPoint }: FocalPictureProps) {
  const text = useText()
  const labels = { x: text.focalX, y: text.focalY }
  const whole = (part: number, of: number): number =>
    Math.round(Math.min(1, Math.max(0, part / Math.max(of, 1))) * 100)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the two numbers below do the same by keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the two numbers below do the same by keyboard */}
      <div
        className={onPoint ? 'focal settable' : 'focal'}
        onClick={(event) => {
          const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
          onPoint?.({ x: whole(event.clientX - left, width), y: whole(event.clientY - top, height) })
        }}
      >
        <img src={src} alt={alt} />
        {point && <span className="focal-mark" style={{ left: `${point.x}%`, top: `${point.y}%` }} />}
      </div>
      {onPoint && (
        <fieldset className="focal-numbers">
          <legend>{text.focalPoint}</legend>
          {(['x', 'y'] as const).map((axis) => (
            <PercentInput
              key={axis}
              label={labels[axis]}
              value={point?.[axis]}
              onChange={(value) => onPoint({ ...(point ?? middle), [axis]: value })}
            />
          ))}
          {point && (
            <button type="button" className="button quiet small" onClick={() => onPoint(null)}>
              {text.noFocalPoint}
            </button>
          )}
          <p className="hint">{text.focalWhy}</p>
        </fieldset>
      )}
    </>
  )
}

interface PercentInputProps {
  readonly label: string
  readonly value: number | undefined
  readonly onChange: (value: number) => void
}

/** A number from 0 to 100. While it is typed, the input has the text as it is, also an empty one, and the last number holds. */
function PercentInput({ label, value, onChange }: PercentInputProps) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  return (
    <span>
      <label htmlFor={id}>{label}</label>
      <input
        className="in"
        id={id}
        type="number"
        min={0}
        max={100}
        step="any"
        value={typed ?? value ?? ''}
        onChange={({ target }) => {
          setTyped(target.value)
          const next = target.valueAsNumber
          if (next >= 0 && next <= 100) onChange(next)
        }}
        onBlur={() => setTyped(undefined)}
      />
    </span>
  )
}
