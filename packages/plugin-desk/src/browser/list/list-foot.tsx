import { useEffect, useRef, useState } from 'react'
import type { Entry, ListAnswer } from '../model/entries.ts'
import type { ContentType } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import type { EntryAction } from '../open-entry/ask-may.ts'
import { useAllowed } from '../open-entry/may-entry.ts'
import { idleIf } from '../page-parts/idle.ts'
import { Going } from '../page-parts/trouble.tsx'
import { isPast, serverTime } from '../requests/server-time.ts'
import { useText } from '../text/index.ts'
import { ChangeField } from './change-field.tsx'
import type { ListState } from './list-query.ts'
import type { Bulk } from './use-bulk.ts'

interface FootProps {
  readonly type: ContentType
  readonly bulk: Bulk
  /** The marked entries of the page. */
  readonly marked: readonly Entry[]
  readonly state: ListState
  /** Whether the entries are those of a page that is about to be replaced: the way to others leads from the next one. */
  readonly isOld: boolean
  readonly pagination: ListAnswer['meta']['pagination']
  readonly count: number
  readonly onPage: (change: Partial<ListState>) => void
  /** Called after an action. @param failed The entries that it could not change. */
  readonly onDone: (failed: readonly number[]) => void
}

/** An action for the marked entries. It returns those that it could not change. */
type Action = () => Promise<readonly number[]> | readonly number[]

/**
 * Keeps the keyboard in the foot when the pressed button has gone: at the sentences about the actions, and not at a button, since one
 * more press of the key must not take back what the first has done.
 */
function useKeptPlace() {
  const place = useRef<HTMLDivElement>(null)
  const isActing = useRef(false)
  useEffect(() => {
    if (!isActing.current) return
    const { activeElement } = document
    if (activeElement === document.body) place.current?.focus({ preventScroll: true })
    else if (place.current?.parentElement?.contains(activeElement)) return
    isActing.current = false
  })
  const acted = () => {
    isActing.current = true
  }
  return { place, acted }
}

/** The place of the first entry that is shown, from 0: until the answer is there, the entries are those of the page before. */
function useShownFrom({ from }: ListState, isOld: boolean): number {
  const shown = useRef(from)
  if (!isOld) shown.current = from
  return shown.current
}

/** The marked entries to which the person may do something. The others stay marked after an action, whose button has the number of both. */
function useAllowedOf({ type, marked }: Pick<FootProps, 'type' | 'marked'>, action: EntryAction) {
  const text = useText()
  const allowed = useAllowed(type, marked, action)
  const ids = (allowed ?? []).map(({ id }) => id)
  const others = marked.flatMap(({ id }) => (ids.includes(id) ? [] : [id]))
  const ofAll = allowed && others.length > 0 ? ` (${text.ofCount(ids.length, marked.length)})` : ''
  return { ids, others, isNone: ids.length === 0, ofAll }
}

/** The actions for the selection, and the pages. */
export function ListFoot(props: FootProps) {
  const { type, bulk, marked, onDone } = props
  const text = useText()
  const { me } = useSession()
  const toChange = useAllowedOf(props, 'update')
  const toDelete = useAllowedOf(props, 'delete')
  const [isChanging, setChanging] = useState(false)
  const canPublish = type.hasDrafts && may(me, type.uid, 'publish')
  const { place, acted } = useKeptPlace()
  const act = (action: Action) => async () => {
    acted()
    onDone(await action())
  }
  return (
    <div className="foot">
      {marked.length > 0 && (
        <>
          <b>{text.selected(marked.length)}</b>
          {canPublish && <Publication {...props} act={act} />}
          {may(me, type.uid, 'update') && (
            <button
              type="button"
              className="button"
              {...idleIf(bulk.busy || toChange.isNone, () => setChanging(true))}
            >
              {text.changeField}
              {toChange.ofAll}
            </button>
          )}
          {may(me, type.uid, 'delete') && (
            <button
              type="button"
              className="button quiet danger"
              {...idleIf(
                bulk.busy || toDelete.isNone,
                act(() => {
                  bulk.remove(toDelete.ids)
                  return toDelete.others
                }),
              )}
            >
              {text.remove}
              {toDelete.ofAll}
            </button>
          )}
        </>
      )}
      {isChanging && (
        <ChangeField
          type={type}
          ids={toChange.ids}
          onClose={() => setChanging(false)}
          onChange={(name, value) =>
            void act(async () => [
              ...(await bulk.setField(name, value, toChange.ids, (present) => present !== value)),
              ...toChange.others,
            ])()
          }
        />
      )}
      {bulk.busy && <Going />}
      <div ref={place} tabIndex={-1} role="status" className="told">
        {bulk.told.map(({ message, undo }) => (
          <p key={message}>
            {message}
            {undo && (
              <button
                type="button"
                className="button quiet"
                // There may be several, which have names of their own.
                aria-label={`${text.undo}: ${message}`}
                onClick={() => {
                  acted()
                  undo()
                }}
              >
                {text.undo}
              </button>
            )}
          </p>
        ))}
      </div>
      <span className="grow" />
      <PageButtons {...props} />
    </div>
  )
}

type PagesProps = Pick<FootProps, 'type' | 'state' | 'isOld' | 'pagination' | 'count' | 'onPage'>

/** Which entries are shown, and the buttons to the pages before and after them. */
function PageButtons({ type, state, isOld, pagination, count, onPage }: PagesProps) {
  const text = useText()
  const { total, cursors } = pagination
  const { pageSize } = type.layout.list
  const from = useShownFrom(state, isOld)
  return (
    <>
      {count > 0 && (
        <span className="num">
          {total === undefined ? text.onPage(count) : text.range(from + 1, from + count, total)}
        </span>
      )}
      {(count > 0 || cursors?.before || cursors?.after) && (
        <>
          <button
            type="button"
            className="button"
            aria-label={text.previous}
            {...idleIf(isOld || !cursors?.before, () =>
              onPage({ before: cursors?.before ?? '', from: Math.max(0, from - pageSize) }),
            )}
          >
            ‹
          </button>
          <button
            type="button"
            className="button"
            aria-label={text.next}
            {...idleIf(isOld || !cursors?.after, () =>
              onPage({ after: cursors?.after ?? '', from: from + pageSize }),
            )}
          >
            ›
          </button>
        </>
      )}
    </>
  )
}

interface PublicationProps extends Pick<FootProps, 'type' | 'marked' | 'bulk'> {
  /** Makes a press of an action, after which only the entries are marked that it could not change. */
  readonly act: (action: Action) => () => unknown
}

/** Publishes and unpublishes the marked entries. Entries that are public already keep their date, also when the step is undone. */
function Publication(props: PublicationProps) {
  const { marked, bulk, act } = props
  const text = useText()
  const allowed = useAllowedOf(props, 'publish')
  const button = (label: string, date: () => string | null, isMeant: (publishedAt: unknown) => boolean) => {
    const others = marked.flatMap(({ id, attributes: { publishedAt = null } }) =>
      isMeant(publishedAt) && allowed.ids.includes(id) ? [id] : [],
    )
    return (
      <button
        type="button"
        className="button"
        {...idleIf(
          bulk.busy || others.length === 0,
          act(async () => [
            ...(await bulk.setField('publishedAt', date(), others, isMeant)),
            ...allowed.others,
          ]),
        )}
      >
        {label}
        {allowed.ofAll}
      </button>
    )
  }
  return (
    <>
      {button(
        text.publish,
        () => serverTime().toISOString(),
        (at) => !isPast(at),
      )}
      {button(
        text.unpublish,
        () => null,
        (at) => at !== null,
      )}
    </>
  )
}
