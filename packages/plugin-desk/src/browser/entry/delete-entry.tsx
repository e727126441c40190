import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { OpenEntry } from '../../wire/index.ts'
import { type Entry, relatedIn } from '../model/entries.ts'
import type { ContentType } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { addressOfList } from '../page-parts/left-lists.ts'
import { useHere } from '../page-parts/opening.ts'
import { useAttempt } from '../page-parts/trouble.tsx'
import { remove as removeAt } from '../requests/api.ts'
import { entriesChanged } from '../requests/changes.ts'
import { isPast } from '../requests/server-time.ts'
import { joined, useText } from '../text/index.ts'

interface DeleteEntryProps {
  readonly type: ContentType
  readonly opened: OpenEntry
  readonly entry: Entry
  readonly name: string
  readonly locale: string | undefined
  readonly reopen: () => void
  readonly onClose: () => void
}

/** The sentences that say what is lost with an entry. */
function useLosses({ type, opened, entry, locale }: DeleteEntryProps): readonly string[] {
  const text = useText()
  const { model } = useSession()
  const nameOf = (code: unknown): string =>
    model.locales.find((one) => one.code === code)?.name ?? String(code)
  const others = relatedIn(entry.attributes.localizations).map(({ attributes }) => nameOf(attributes.locale))
  const isLive = !type.hasDrafts || isPast(entry.attributes.publishedAt)
  return [
    ...(isLive ? [text.readersLose] : []),
    ...(others.length > 0 ? [text.languageGoes(nameOf(locale), joined(others, text))] : []),
    ...(opened.isUnsaved ? [text.unsavedGoes] : []),
    text.cannotComeBack,
  ]
}

/** Says what is lost with an entry, asks, and deletes it. */
export function DeleteEntry(props: DeleteEntryProps) {
  const { type, opened, entry, name, locale, reopen, onClose } = props
  const text = useText()
  const { model } = useSession()
  const client = useQueryClient()
  const [, go] = useLocation()
  const { attempt, trouble } = useAttempt()
  const losses = useLosses(props)
  const isSingle = type.kind === 'singleType'
  const isOther = locale !== undefined && locale !== model.locales[0]?.code
  const begin = useHere()
  const remove = async () => {
    const isHere = begin()
    const query = isSingle && locale !== undefined ? { query: { locale } } : {}
    const path = `content/${type.route}${isSingle ? '' : `/${entry.id}`}`
    await removeAt(path, query)
    void entriesChanged(client)
    if (isSingle) return reopen()
    await opened.discard()
    if (isHere())
      go(isOther ? `/content/${type.route}?locale=${locale}` : addressOfList(type.route), { replace: true })
  }
  return (
    <Dialog title={text.deleteTitle(name)} onClose={onClose}>
      {trouble}
      {losses.map((loss) => (
        <p key={loss}>{loss}</p>
      ))}
      <div className="row dialog-foot">
        <button type="button" className="button danger" onClick={() => void attempt(remove)}>
          {text.deleteForGood}
        </button>
        <button type="button" className="button quiet" onClick={onClose}>
          {text.cancel}
        </button>
      </div>
    </Dialog>
  )
}
