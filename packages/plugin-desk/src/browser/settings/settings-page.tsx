import { useEffect } from 'react'
import { useText } from '../text/index.ts'
import { AboutMe, NewPassword } from './account.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** The account of the person: name and language, password, second factor, and where it is signed in. */
export default function SettingsPage() {
  const text = useText()
  useEffect(() => {
    document.title = text.settings
  }, [text])
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="head">
        <h1>{text.settings}</h1>
      </div>
      <div className="settings">
        <AboutMe />
        <NewPassword />
        <SecondFactor />
        <Sessions />
      </div>
    </main>
  )
}
