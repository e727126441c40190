import { useEffect } from 'react'
import { Link } from 'wouter'
import { useExtensions } from './extensions/registry.ts'
import { fileUid, nounOf } from './model/model.ts'
import { may, nameOf } from './model/rights.ts'
import { useSession } from './model/session.tsx'
import { addressOfNew } from './open-entry/begin.ts'
import { useFinding } from './page-parts/finding.tsx'
import { useText } from './text/index.ts'

/** The first page of the desk. */
export function Home() {
  const text = useText()
  const { me, model } = useSession()
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
      <Beginnings />
      {problems.map(({ module, reason }) => (
        <p key={module} className="note wrong">
          {text.extensionLeftOut(module, reason)}
        </p>
      ))}
    </main>
  )
}

/** Buttons that are shown at once: of more, the person finds one by its name. */
const mostButtons = 24

/** The buttons that begin an entry. */
function Beginnings() {
  const text = useText()
  const session = useSession()
  const { isMeant, field } = useFinding('/')
  const all = session.model.types
    .filter(({ uid, kind }) => kind === 'collectionType' && uid !== fileUid)
    .flatMap((type) => {
      const address = addressOfNew(type, session)
      return address === undefined ? [] : [{ uid: type.uid, address, label: text.create(nounOf(type)) }]
    })
  const found = all.filter(({ label }) => isMeant(label))
  return (
    <>
      {all.length > mostButtons && field(text.findNew, found.length === 0)}
      <div className="row">
        {found.slice(0, mostButtons).map(({ uid, address, label }) => (
          <Link key={uid} className="button" href={address}>
            {label}
          </Link>
        ))}
      </div>
      {found.length > mostButtons && <p className="hint">{text.andMore(found.length - mostButtons)}</p>}
    </>
  )
}
