import { createContext, type ReactNode, useContext } from 'react'
import type { Model } from './model.ts'
import type { Me } from './rights.ts'

/** The signed-in person and the content on which it may work. */
export interface Session {
  readonly me: Me
  readonly model: Model
  /** Shows the pages with another account of the person, whose name or language has changed. */
  readonly changeMe: (me: Me) => Promise<void>
  /** Shows the pages with other layouts or languages. Gets the model as it is then: other answers may have changed it meanwhile. */
  readonly changeModel: (change: (model: Model) => Model) => void
}

/** Who is there, and what the server has. */
export type SignedIn = Pick<Session, 'me' | 'model'>

const SessionContext = createContext<Session | undefined>(undefined)

export const SessionProvider = ({ value, children }: { value: Session; children: ReactNode }) => (
  <SessionContext value={value}>{children}</SessionContext>
)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('The page is for signed-in people.')
  return session
}
