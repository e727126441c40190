import { useEffect } from 'react'
import { Link } from 'wouter'
import { useExtensions } from './extensions/registry.ts'
import { fileUid, nounOf } from './model/model.ts'
import { may, nameOf } from './model/rights.ts'
import { useSession } from './model/session.tsx'
import { addressOfNew } from './open-entry/begin.ts'
import { useText } from './text/index.ts'

/** The first page of the desk. */
export function Home() {
  const text = useText()
  const session = useSession()
  const { me, model } = session
  useEffect(() => {
    document.title = text.desk
  }, [text])
  const { problems } = useExtensions()
  const hasContent = model.types.some(({ uid }) => may(me, uid, 'read'))
  // Files alone are there without a content-type, too.
  const isEmpty = me.may.everything === true && model.types.every(({ uid }) => uid === fileUid)
  return (
    <main id="main" className="page" tabIndex={-1}>
      <h1>{text.homeTitle(me.person.firstname || nameOf(me))}</h1>
      <p>{isEmpty ? text.nothingToWrite : hasContent ? text.home : text.nothingAllowed}</p>
      <div className="row">
        {model.types
          .filter(({ uid, kind }) => kind === 'collectionType' && uid !== fileUid)
          .map((type) => ({ type, address: addressOfNew(type, session) }))
          .map(
            ({ type, address }) =>
              address !== undefined && (
                <Link key={type.uid} className="button" href={address}>
                  {text.create(nounOf(type))}
                </Link>
              ),
          )}
      </div>
      {problems.map(({ module, reason }) => (
        <p key={module} className="note wrong">
          {text.extensionLeftOut(module, reason)}
        </p>
      ))}
    </main>
  )
}
