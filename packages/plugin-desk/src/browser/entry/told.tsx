import { Fragment } from 'react'
import type { ContentType } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { leadTo, useEntry, useSummary } from '../open-entry/context.ts'
import { placeOf } from '../open-entry/labels.ts'
import type { Unkept } from '../page-parts/device.ts'
import { useText } from '../text/index.ts'
import { useNews } from './news.ts'
import { useCopy } from './use-copy.ts'
import type { Saving } from './use-saving.ts'

interface ToldProps {
  readonly type: ContentType
  readonly locale: string | undefined
  /** The name of the entry. */
  readonly name: string
  readonly saving: Saving
  /** Why this device keeps no copy of what is typed; `undefined` where it does. */
  readonly unkept: Unkept | undefined
}

/**
 * The sentences about the last save: why it was refused, mistakes with the way to each, and conflicts. A save by a key may begin at any
 * place of a long form, and one that waits ends at any time, so these stay in sight while the page is scrolled.
 */
export function Told({ type, locale, name, saving, unkept }: ToldProps) {
  const text = useText()
  const entry = useEntry()
  const { form } = entry
  const { model } = useSession()
  const goOn = useCopy(type, locale, saving.told?.isWithoutLanguage)
  const summary = useSummary('')
  const errors = summary.errors > 0 ? form.errors() : []
  const overlaps = summary.overlaps > 0 ? form.overlaps() : []
  const news = useNews(form, saving.news)
  const ofEntry = errors.flatMap(({ key, message }) => (key === '' ? [message] : [])).join(' ')
  const keys = [...new Set(errors.map(({ key }) => key))]
  const link = (key: string) => (
    <button type="button" className="linked" onClick={() => leadTo(entry, key)}>
      {placeOf(form, model, key)}
    </button>
  )
  return (
    <div className="pinned" aria-live="polite">
      {unkept && <p className="note wrong">{text.unkept[unkept]}</p>}
      {saving.told && (
        <p className={saving.told.isWaiting ? 'note info' : 'note wrong'}>
          {saving.told.words}
          {saving.told.isStranded && goOn && (
            <button type="button" className="linked" onClick={() => void goOn(form, name)}>
              {text.goOnAsNew}
            </button>
          )}
        </p>
      )}
      {keys.length > 0 && (
        <p className="note wrong">
          <b>{text.toCorrect(keys.length)}</b>
          {saving.failed === 'publish' ? text.beforePublish : text.beforeSave}
          {keys.map((key) => (
            <Fragment key={key}>{key === '' ? ofEntry : link(key)}</Fragment>
          ))}
        </p>
      )}
      {overlaps.length > 0 ? (
        <p className="note info">
          {text.conflict}
          {[...new Set(overlaps.map(({ key }) => key))].map((key) => (
            <Fragment key={key}>{link(key)}</Fragment>
          ))}
        </p>
      ) : (
        news?.isMerged && <p className="note info">{text.conflictMerged}</p>
      )}
      {news?.isUnpublished && <p className="note info">{text.unpublishedMeanwhile}</p>}
    </div>
  )
}
