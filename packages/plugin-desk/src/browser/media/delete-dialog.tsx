import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Query } from '../../query-text.ts'
import { useSession } from '../model/session.tsx'
import { Asked } from '../page-parts/asked.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { useAttempt } from '../page-parts/trouble.tsx'
import { joined, useText } from '../text/index.ts'
import { type UsedFile, usesOf } from './usage.ts'

/** The greatest number of files that a folder is deleted with; the server refuses more. */
const most = 1_000
/** Used files that are named. */
const named = 10

interface DeleteDialogProps {
  readonly title: string
  /** Reaches the files that go. */
  readonly filters: Query
  readonly onDelete: () => Promise<unknown>
  readonly onClose: () => void
}

/** Says which entries lose a file, and asks. A file that is gone does not come back, so an undo cannot take the place of the question. */
export function DeleteDialog({ title, filters, onDelete, onClose }: DeleteDialogProps) {
  const text = useText()
  const { model } = useSession()
  const { attempt, trouble } = useAttempt()
  const used = useQuery<readonly UsedFile[]>({
    queryKey: ['uses', filters],
    queryFn: ({ signal }) => usesOf(filters, most, model, text, signal),
    staleTime: 0,
  })
  const { data } = used
  const remove = () =>
    attempt(async () => {
      await onDelete()
      onClose()
    })
  return (
    <Dialog title={title} onClose={onClose}>
      {trouble}
      <Asked of={{ [text.usedIn]: used }} />
      {data && <Uses files={data} />}
      <div className="row dialog-foot">
        <button type="button" className="button danger" disabled={!data} onClick={remove}>
          {text.deleteForGood}
        </button>
        <button type="button" className="button quiet" onClick={onClose}>
          {text.cancel}
        </button>
      </div>
    </Dialog>
  )
}

function Uses({ files }: { files: readonly UsedFile[] }) {
  const text = useText()
  const used = files.filter(({ uses }) => uses.length > 0)
  return (
    <>
      <p>{text.filesGo(files.length, used.length)}</p>
      {used.length > 0 && (
        <ul className="uses">
          {used.slice(0, named).map((file) => (
            <li key={file.id}>
              <b>{file.name}</b>: <UseLinks file={file} />
            </li>
          ))}
          {used.length > named && <li>{text.andMore(used.length - named)}</li>}
        </ul>
      )}
      <p className="hint">{text.usesYouMayRead}</p>
    </>
  )
}

/** The entries that use a file, in one line, with the place of the file where it is in a part. */
export function UseLinks({ file: { uses, more } }: { file: UsedFile }) {
  const text = useText()
  return (
    <>
      {uses.map(({ key, href, label, places }, i) => (
        <span key={key}>
          {i > 0 && ', '}
          <Link href={href}>{label}</Link>
          {places.length > 0 && ` (${joined(places, text)})`}
        </span>
      ))}
      {more && ` ${text.andFurther}`}
    </>
  )
}
