import { Waiting } from './desk-parts.tsx'
import { reasonOf } from './sign-in.tsx'
import { useText } from './text/index.ts'

/** A request whose answer a page shows, as `useQuery` returns it. */
export interface Asking {
  readonly data: unknown
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** Says in the place of answers that they are on their way, or why one did not come, with a button that asks again; nothing once all are there. */
export function Asked({ of }: { of: readonly Asking[] }) {
  const text = useText()
  const again = () => {
    for (const { data, error, refetch } of of) if (error || data === undefined) void refetch()
  }
  const failed = of.find(({ error }) => error)
  if (failed)
    return (
      <p className="note wrong" role="alert">
        {reasonOf(failed.error, text)}
        <button type="button" className="linked" onClick={again}>
          {text.tryAgain}
        </button>
      </p>
    )
  return of.some(({ data }) => data === undefined) ? <Waiting onAgain={again} /> : null
}
