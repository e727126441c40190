import { joined, useText } from '../text/index.ts'
import { Waiting } from './desk-parts.tsx'
import { reasonOf, Trouble } from './trouble.tsx'

/** A request whose answer a page shows, as `useQuery` returns it. */
export interface Asking {
  readonly data: unknown
  readonly error: Error | null
  readonly refetch: () => unknown
}

/**
 * Says in the place of answers that they are on their way, or which one did not come and why, with a button that asks again; nothing once
 * all are there.
 *
 * @param of The requests by the name of what they bring, as the page calls it.
 */
export function Asked({ of }: { of: Readonly<Record<string, Asking>> }) {
  const text = useText()
  const all = Object.values(of)
  const again = () => {
    for (const { data, error, refetch } of all) if (error || data === undefined) void refetch()
  }
  const failed = Object.entries(of).filter(([, { error }]) => error)
  if (failed.length > 0)
    return (
      <Trouble onAgain={again} error={failed[0]?.[1].error}>
        {text.notLoaded(
          joined(
            failed.map(([name]) => name),
            text,
          ),
        )}{' '}
        {reasonOf(failed[0]?.[1].error, text)}
      </Trouble>
    )
  return all.some(({ data }) => data === undefined) ? <Waiting onAgain={again} /> : null
}
