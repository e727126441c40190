import { useState } from 'react'
import type { OpenEntry } from '../../wire/index.ts'
import type { Entry } from '../model/entries.ts'
import type { ContentType } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { useMayEntry } from '../open-entry/may-entry.ts'
import { Asked } from '../page-parts/asked.tsx'
import { PopUp } from '../page-parts/pop-up.tsx'
import { useText } from '../text/index.ts'
import { DeleteEntry } from './delete-entry.tsx'
import { useCopy } from './use-copy.ts'

interface EntryMenuProps {
  readonly type: ContentType
  readonly opened: OpenEntry
  readonly entry: Entry
  readonly name: string
  readonly locale: string | undefined
  /** Whether the entry is being saved. */
  readonly busy: boolean
  /** Shows the page of a single type anew, once its entry is gone. */
  readonly reopen: () => void
}

/** The menu of an entry: copies and deletes it as a whole. */
export function EntryMenu(props: EntryMenuProps) {
  const { type, opened, name, locale, busy } = props
  const text = useText()
  const { me } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { isAllowed: mayDelete, asking } = useMayEntry({ ...props, action: 'delete', isNeeded: isOpen })
  const copy = useCopy(type, locale)
  if (!copy && !may(me, type.uid, 'delete', locale)) return null
  return (
    <>
      <PopUp className="menu" label="⋯" name={text.moreActions} onToggle={setOpen}>
        {(close) => (
          <>
            {copy && (
              <button
                type="button"
                className="button quiet"
                onClick={() => {
                  close()
                  void copy(opened.form, name)
                }}
              >
                {text.duplicate}
              </button>
            )}
            {asking && <Asked of={{ [text.remove]: asking }} />}
            {!copy && !mayDelete && asking?.data && <p className="hint">{text.readOnly}</p>}
            {mayDelete && (
              <button
                type="button"
                className="button quiet danger"
                disabled={busy}
                onClick={() => {
                  close()
                  setDeleting(true)
                }}
              >
                {text.remove}
              </button>
            )}
          </>
        )}
      </PopUp>
      {isDeleting && <DeleteEntry {...props} onClose={() => setDeleting(false)} />}
    </>
  )
}
