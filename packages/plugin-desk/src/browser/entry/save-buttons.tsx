import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ContentType } from '../model/model.ts'
import { useEntry, useSummary } from '../open-entry/context.ts'
import { useMayEntry } from '../open-entry/may-entry.ts'
import { useIsUnfinished } from '../open-entry/unfinished.ts'
import { idleIf } from '../page-parts/idle.ts'
import { useText } from '../text/index.ts'
import { useUnwritable } from './unwritable.ts'
import type { Saving } from './use-saving.ts'

interface SaveButtonsProps {
  readonly type: ContentType
  readonly saving: Saving
  readonly locale: string | undefined
  /** Whether the person may change or create the entry. */
  readonly mayAct: boolean
}

/**
 * Keeps the keyboard in the row when the button that was pressed gives way to its opposite: at the button that saves, since one more
 * press of the key must not take back what the first has done.
 */
function useKeptPlace(isLive: boolean) {
  const row = useRef<HTMLSpanElement>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  const isTurning = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs each time that the entry is published or unpublished
  useLayoutEffect(() => {
    if (isTurning.current && document.activeElement === document.body)
      (saveButton.current ?? row.current)?.focus({ preventScroll: true })
    isTurning.current = false
  }, [isLive])
  const turned = () => {
    isTurning.current = true
  }
  return { row, saveButton, turned }
}

/** Says to screen readers that a save has arrived: that the words of a button have changed is no message. */
function SavedMessage({ saving, isClean }: { saving: Saving; isClean: boolean }) {
  const text = useText()
  const { busy, told, failed } = saving
  const [isTried, setTried] = useState(false)
  useEffect(() => {
    if (busy) setTried(true)
  }, [busy])
  const isSaved = isTried && !busy && isClean && told === undefined && failed === undefined
  return (
    <span role="status" className="hidden">
      {isSaved && text.saved}
    </span>
  )
}

/** Save, publish, and back again. Saving never publishes. */
export function SaveButtons({ type, saving, locale, mayAct }: SaveButtonsProps) {
  const text = useText()
  const { unfinished } = useEntry()
  const { changed } = useSummary('')
  const isUnfinished = useIsUnfinished(unfinished)
  const { entry, save, busy } = saving
  const isLive = typeof entry?.attributes.publishedAt === 'string'
  const isClean = changed === 0 && !isUnfinished && entry !== undefined
  const { toPublish } = useUnwritable({ type, saving, locale })
  const mayPublish = useMayEntry({ type, entry, locale, action: 'publish' }).isAllowed !== false
  const canPublish = type.hasDrafts && mayPublish && (entry !== undefined || mayAct)
  const { row, saveButton, turned } = useKeptPlace(isLive)
  const turn = (kind: 'publish' | 'unpublish') => {
    turned()
    return save(kind)
  }
  const words = isClean ? text.saved : type.hasDrafts && !isLive ? text.saveDraft : text.save
  return (
    <span className="saving" ref={row} tabIndex={-1}>
      <SavedMessage {...{ saving, isClean }} />
      {mayAct && (
        <button
          type="button"
          className={type.hasDrafts ? 'button' : 'button main'}
          ref={saveButton}
          {...idleIf(busy || isClean, () => save('save'))}
        >
          {busy ? text.saving : words}
        </button>
      )}
      {canPublish && isLive && (
        <button type="button" className="button" {...idleIf(busy, () => turn('unpublish'))}>
          {text.unpublish}
        </button>
      )}
      {canPublish && !isLive && toPublish.length === 0 && (
        <button type="button" className="button main" {...idleIf(busy, () => turn('publish'))}>
          {text.publish}
        </button>
      )}
    </span>
  )
}
