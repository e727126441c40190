import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Asked } from '../page-parts/asked.tsx'
import { useAttempt } from '../page-parts/trouble.tsx'
import { remove, request } from '../requests/api.ts'
import { dayOf, joined, useText } from '../text/index.ts'

interface OwnSession {
  readonly id: number
  /** The name that the browser gives itself. */
  readonly agent: string | null
  readonly usedAt: string
  readonly current: boolean
}

/** `Firefox, Linux` of the name that a browser gives itself. */
function browserOf(agent: string | null): string {
  const first = (names: readonly string[]) => names.find((name) => agent?.includes(name))
  const parts = [
    first(['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'])?.replace('Edg', 'Edge').replace('OPR', 'Opera'),
    first(['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS', 'Linux']),
  ]
  return parts.filter(Boolean).join(', ') || (agent ?? '')
}

/** Where the person is signed in. */
export function Sessions() {
  const text = useText()
  const client = useQueryClient()
  const { attempt, trouble } = useAttempt()
  const sessions = useQuery<readonly OwnSession[]>({
    queryKey: ['sessions'],
    queryFn: ({ signal }) =>
      request<readonly OwnSession[]>('GET', 'sessions', { signal }).then(({ body }) => body),
    staleTime: 0,
  })
  const end = (id: number) =>
    attempt(async () => {
      await remove(`sessions/${id}`)
      await client.invalidateQueries({ queryKey: ['sessions'] })
    }, id)
  return (
    <section className="sheet">
      <h2>{text.sessions}</h2>
      {trouble}
      <Asked of={{ [text.sessions]: sessions }} />
      <ul className="chips">
        {sessions.data?.map(({ id, agent, usedAt, current }) => (
          <li key={id} className="chip">
            <span className="name">
              {browserOf(agent)}{' '}
              <span className="num">{current ? text.thisSession : dayOf(usedAt, text)}</span>
            </span>
            {!current && (
              <button
                type="button"
                aria-label={text.endSession(joined([browserOf(agent), dayOf(usedAt, text)], text))}
                onClick={() => end(id)}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
