import { useId } from 'react'
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
  const id = useId()
  const labels = { x: text.focalX, y: text.focalY }
  const whole = (part: number, of: number): number =>
    Math.round(Math.min(1, Math.max(0, part / Math.max(of, 1))) * 100)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the two numbers below do the same by keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
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
            <span key={axis}>
              <label htmlFor={`${id}-${axis}`}>{labels[axis]}</label>
              <input
                className="in"
                id={`${id}-${axis}`}
                type="number"
                min={0}
                max={100}
                value={point?.[axis] ?? ''}
                onChange={({ target }) => {
                  const value = target.valueAsNumber
                  if (value >= 0 && value <= 100) onPoint({ ...(point ?? middle), [axis]: value })
                }}
              />
            </span>
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
