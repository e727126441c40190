import { type FileOrder, type FileQuery, fileOrders, firstQuestion, type Kinds } from '../../library-query.ts'
import { serverTime } from '../requests/server-time.ts'
import { useText } from '../text/index.ts'

/** The search, the order and the limits of the files that a folder shows. */
export type Wanted = Pick<FileQuery, 'search' | 'order' | 'since'> & {
  /** One of the kinds that the library is open for; `undefined`: all of them. */
  readonly kind: string | undefined
}

/** All files, the newest ones on top. */
export const firstWanted: Wanted = {
  search: firstQuestion.search,
  order: firstQuestion.order,
  since: firstQuestion.since,
  kind: undefined,
}

/** The kinds that a field may ask for, in the order in which they are offered. */
const allKinds = ['images', 'videos', 'audios', 'files'] as const

/** Days back from today from which on files are shown. */
const spans = [7, 30, 365] as const

/** The day that lies so many days back, in the time zone of the browser: `2026-11-24`. */
function dayBack(days: number): string {
  const day = serverTime()
  day.setDate(day.getDate() - days)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/** Whether fewer than all files of the folder are asked for. */
export const isNarrowed = ({ search, since, kind }: Wanted): boolean =>
  search !== '' || since !== undefined || kind !== undefined

interface FileQuestionProps {
  readonly wanted: Wanted
  /** The kinds that the library is open for; `undefined`: all. */
  readonly kinds: Kinds
  readonly onAsk: (change: Partial<Wanted>) => void
}

/** The search in the files, their order, and the kinds and days of those that are shown. */
export function FileQuestion({ wanted, kinds, onAsk }: FileQuestionProps) {
  const text = useText()
  const offered = allKinds.filter((kind) => kinds?.includes(kind) ?? true)
  return (
    <>
      <input
        className="in search"
        type="search"
        aria-label={text.searchFiles}
        placeholder={text.searchFiles}
        value={wanted.search}
        onChange={({ target }) => onAsk({ search: target.value })}
      />
      <select
        className="in narrow"
        aria-label={text.fileOrder}
        value={wanted.order}
        // The options are the names of orders.
        onChange={({ target }) => onAsk({ order: target.value as FileOrder })}
      >
        {Object.keys(fileOrders).map((order) => (
          <option key={order} value={order}>
            {text.fileOrders[order as FileOrder]}
          </option>
        ))}
      </select>
      {offered.length > 1 && (
        <select
          className="in narrow"
          aria-label={text.fileKind}
          value={wanted.kind ?? ''}
          onChange={({ target }) => onAsk({ kind: target.value === '' ? undefined : target.value })}
        >
          <option value="">{text.allKinds}</option>
          {offered.map((kind) => (
            <option key={kind} value={kind}>
              {text.fileKinds[kind]}
            </option>
          ))}
        </select>
      )}
      <select
        className="in narrow"
        aria-label={text.fileSince}
        value={spans.find((days) => dayBack(days) === wanted.since) ?? ''}
        onChange={({ target }) =>
          onAsk({ since: target.value === '' ? undefined : dayBack(Number(target.value)) })
        }
      >
        <option value="">{text.anyTime}</option>
        {spans.map((days) => (
          <option key={days} value={days}>
            {text.lastDays(days)}
          </option>
        ))}
      </select>
    </>
  )
}
