import type { ContentType } from '../model.ts'
import { may } from '../rights.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { useSummary } from './context.ts'
import { useUnwritable } from './unwritable.ts'
import type { Saving } from './use-saving.ts'

interface SaveButtonsProps {
  readonly type: ContentType
  readonly saving: Saving
  readonly locale: string | undefined
  /** Whether the person may change or create the entry. */
  readonly mayAct: boolean
}

/** Save, publish, and back again. Saving never publishes. */
export function SaveButtons({ type, saving, locale, mayAct }: SaveButtonsProps) {
  const text = useText()
  const { me } = useSession()
  const { changed } = useSummary('')
  const { entry, save, busy } = saving
  const isLive = typeof entry?.attributes.publishedAt === 'string'
  const isClean = changed === 0 && entry !== undefined
  const { toPublish } = useUnwritable({ type, saving, locale })
  const canPublish = type.hasDrafts && may(me, type.uid, 'publish', locale) && (entry !== undefined || mayAct)
  const words = isClean ? text.saved : type.hasDrafts && !isLive ? text.saveDraft : text.save
  return (
    <span className="saving">
      {mayAct && (
        <button
          type="button"
          className={type.hasDrafts ? 'button' : 'button main'}
          disabled={busy || isClean}
          onClick={() => save('save')}
        >
          {busy ? text.saving : words}
        </button>
      )}
      {canPublish && isLive && (
        <button type="button" className="button" disabled={busy} onClick={() => save('unpublish')}>
          {text.unpublish}
        </button>
      )}
      {canPublish && !isLive && toPublish.length === 0 && (
        <button type="button" className="button main" disabled={busy} onClick={() => save('publish')}>
          {text.publish}
        </button>
      )}
    </span>
  )
}
