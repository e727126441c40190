import { useEffect, useState } from 'react'
import { type Answer, readAtStart } from '../requests/api.ts'
import { type Texts, useText } from '../text/index.ts'

/** The ways to sign in that the server has. */
export interface Ways {
  readonly passwords: boolean
  readonly openId: { readonly name: string } | null
}

/** The ways that a page shows until the server has answered, and when it does not answer. */
const usual: Ways = { passwords: true, openId: null }

export function useWays(): Ways {
  const [ways, setWays] = useState(usual)
  useEffect(() => {
    let isShown = true
    const show = ({ body }: Answer<Ways>): void => {
      if (isShown) setWays(body)
    }
    // The form itself says why the server cannot be reached.
    readAtStart<Ways>('sign-in').then(show, () => undefined)
    return () => {
      isShown = false
    }
  }, [])
  return ways
}

/** Why the issuer led back without a sign-in, in words; empty without a reason. @param search The query string of the page. */
export function refusalIn(search: string, text: Texts): string {
  switch (new URLSearchParams(search).get('refused')) {
    case 'late':
      return text.refusedLate
    case 'issuer':
      return text.refusedByIssuer
    case 'no-account':
      return text.refusedNoAccount
    case 'server':
      return text.refusedByServer
    default:
      return ''
  }
}

/** The page to return to, without the reason of an earlier refusal. */
function herePath({ pathname, search }: Location): string {
  const query = new URLSearchParams(search)
  query.delete('refused')
  return query.size === 0 ? pathname : `${pathname}?${query}`
}

/** The link to the issuer. @param isOver Whether the page below must stay as it is: the issuer opens beside it then. */
export function IssuerLink({ name, isOver }: { name: string; isOver: boolean }) {
  const text = useText()
  const to = isOver ? '/desk' : herePath(location)
  return (
    <a
      className="button"
      href={`/desk/api/openid?to=${encodeURIComponent(to)}`}
      {...(isOver && { target: '_blank', rel: 'noopener' })}
    >
      {text.signInAt(name)}
    </a>
  )
}
