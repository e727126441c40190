import { useText } from './text/index.ts'

export function Waiting() {
  const text = useText()
  return (
    <div className="waiting" role="status">
      {text.loading}
    </div>
  )
}

/** The state of an entry as a pill. */
export function StatePill({ publishedAt }: { publishedAt: unknown }) {
  const text = useText()
  if (typeof publishedAt !== 'string') return <span className="pill draft">{text.draft}</span>
  const isLater = Date.parse(publishedAt) > Date.now()
  return isLater ? (
    <span className="pill soon">
      {text.soon(
        new Intl.DateTimeFormat(text.language, { dateStyle: 'medium', timeStyle: 'short' }).format(
          new Date(publishedAt),
        ),
      )}
    </span>
  ) : (
    <span className="pill live">{text.live}</span>
  )
}
