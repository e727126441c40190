import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../model/session.tsx'
import { Asked } from '../page-parts/asked.tsx'
import { Bar } from '../page-parts/bar.tsx'
import { useOpening } from '../page-parts/opening.ts'
import { SureButton } from '../page-parts/sure-button.tsx'
import { useAttempt } from '../page-parts/trouble.tsx'
import { remove, request } from '../requests/api.ts'
import { isPast } from '../requests/server-time.ts'
import { dayOf, useText } from '../text/index.ts'
import { listOfActions } from './action-words.tsx'
import { NewToken } from './new-token.tsx'
import type { Token } from './tokens.ts'

/** The API tokens: programs send them in place of a login. */
export default function TokensPage() {
  const text = useText()
  const client = useQueryClient()
  const [isMaking, open, close] = useOpening<true>()
  const { attempt, trouble } = useAttempt()
  const tokens = useQuery<readonly Token[]>({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => request<readonly Token[]>('GET', 'tokens', { signal }).then(({ body }) => body),
  })
  const { data } = tokens
  useEffect(() => {
    document.title = text.tokens
  }, [text])
  const changed = () => client.invalidateQueries({ queryKey: ['tokens'] })
  const end = (id: number) =>
    attempt(async () => {
      await remove(`tokens/${id}`)
      await changed()
    }, id)
  return (
    <div className="room">
      <Bar>
        <span className="grow" />
        <button type="button" className="button main" onClick={() => open(true)}>
          {text.newToken}
        </button>
      </Bar>
      <main id="main" className="page" tabIndex={-1}>
        <div className="head">
          <h1>{text.tokens}</h1>
        </div>
        {trouble}
        <Asked of={{ [text.tokens]: tokens }} />
        {data?.length === 0 && <p className="empty">{text.noTokens(text.newToken)}</p>}
        <ul className="people">
          {data?.map((token) => (
            <TokenRow key={token.id} token={token} onEnd={() => void end(token.id)} />
          ))}
        </ul>
      </main>
      {isMaking && <NewToken onDone={changed} onClose={close} />}
    </div>
  )
}

function TokenRow({ token, onEnd }: { token: Token; onEnd: () => void }) {
  const text = useText()
  const { model } = useSession()
  const { name, access, expiresAt, lastUsedAt } = token
  const hasEnded = isPast(expiresAt)
  const used = lastUsedAt === null ? text.neverUsed : text.lastUsed(dayOf(lastUsedAt, text))
  return (
    <li>
      <span className="who">
        <strong>{name}</strong>
        {typeof access === 'string' ? (
          <span className="num">{text.accessNames[access]}</span>
        ) : (
          <span className="num" title={access.join('\n')}>
            {listOfActions(access, model, text)}
          </span>
        )}
      </span>
      <span className="roles">{used}</span>
      {hasEnded ? (
        <span className="pill off">{text.ended}</span>
      ) : (
        <span className="pill live">
          {expiresAt === null ? text.neverEnds : text.endsOn(dayOf(expiresAt, text))}
        </span>
      )}
      <SureButton label={text.endToken} name={text.endTokenOf(name)} onSure={onEnd} />
    </li>
  )
}
