import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Router } from 'wouter'
import { loadExtensions, type ModuleAddress } from './extensions/load.ts'
import { type Layout, type Model, withLayouts } from './model/model.ts'
import { type Me, readableModel } from './model/rights.ts'
import { type Session, SessionProvider } from './model/session.tsx'
import { Waiting } from './page-parts/desk-parts.tsx'
import { doWhatIsPutOff } from './page-parts/put-off.ts'
import { reasonOf, Trouble } from './page-parts/trouble.tsx'
import { mayLeave } from './page-parts/unsaved.ts'
import { ApiError, onSignedOut, readAtStart, send } from './requests/api.ts'
import { signedInAs } from './requests/person-header.ts'
import { askPage, loadPage, Rooms } from './rooms.tsx'
import { AcceptPage } from './sign-in/accept-page.tsx'
import { SignInAgain, SignInPage } from './sign-in/sign-in.tsx'
import { en } from './text/en.ts'
import { directionOf, TextContext, type Texts, textsFor, useText } from './text/index.ts'

type Present = Pick<Session, 'me' | 'model'>

type State =
  | { readonly kind: 'loading' | 'signed-out' | 'accept' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'signed-in'; readonly session: Present }

/** The definitions and layouts that a person may read. */
const requestModel = () =>
  Promise.all([readAtStart<Model>('model'), readAtStart<Readonly<Record<string, Layout>>>('layouts')])

/** Asks who the person is and for the model at once: a visitor who is not signed in is refused the answers. */
function askAll() {
  const asked = { me: readAtStart<Me>('me'), model: requestModel() }
  for (const one of Object.values<Promise<unknown>>(asked)) one.catch(() => undefined)
  return asked
}

async function modelFor(me: Me, asked = requestModel()): Promise<Model> {
  const [model, layouts] = await asked
  return readableModel(withLayouts(model.body, layouts.body), me)
}

interface Beside {
  /** Extensions are loaded once the language of the pages is known. */
  readonly spoken: Promise<void>
  readonly modules: readonly ModuleAddress[]
  readonly client: QueryClient
}

/** Loads the extensions and the page of the address beside the model. */
async function loadRooms(
  me: Me,
  loaded: Promise<Model>,
  { spoken, modules, client }: Beside,
): Promise<Model> {
  // The model without limits, for the warnings of extensions: other people see a part of it only.
  const drawn = loaded.then(
    (model) => (me.may.everything ? model : undefined),
    () => undefined,
  )
  const extended = spoken.then(() => loadExtensions(modules, drawn))
  const [model] = await Promise.all([loaded, extended, loadPage(location.pathname, client)])
  return model
}

/** The texts of the pages: those of the person, or else of the browser. */
function useTexts() {
  const [texts, setTexts] = useState<Texts>(en)
  const speak = async (me?: Me): Promise<void> => {
    const own = me?.person.language
    const next = await textsFor([...(own ? [own] : []), ...navigator.languages])
    markLanguage(next)
    setTexts(next)
  }
  // Until the first texts have come, the page is in English.
  useEffect(() => markLanguage(en), [])
  return { texts, speak }
}

/** Names the language in the document, from which extensions read it as well. */
function markLanguage({ language }: Texts): void {
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

/** Ends the session at the server, once what is put off is done in it. */
async function endSession(): Promise<void> {
  await doWhatIsPutOff()
  await send('POST', 'logout').catch(() => undefined)
}

/** Whether the page is that of a link to choose a password. */
const isInvited = (): boolean => location.pathname === '/desk/accept'

/** Whether the server has no session of the person, or no editor yet. A proxy that finds no server says nothing about that. */
const isWithoutSession = (error: unknown): boolean =>
  error instanceof ApiError && !error.isUnexplained && [401, 404].includes(error.status)

/** The desk: the door, and the rooms behind it. */
export function Desk({ site, modules }: { site: string; modules: readonly ModuleAddress[] }) {
  const [state, setState] = useState<State>({ kind: 'loading' })
  const { texts, speak } = useTexts()
  const client = useQueryClient()

  const enter = async (me: Me, asked?: ReturnType<typeof requestModel>): Promise<void> => {
    const spoken = speak(me)
    const model = await loadRooms(me, modelFor(me, asked), { spoken, modules, client })
    askPage(location, client, { me, model })
    setState({ kind: 'signed-in', session: { me, model } })
  }
  const changeSession = (change: (session: Present) => Present): void =>
    setState((now) => (now.kind === 'signed-in' ? { ...now, session: change(now.session) } : now))
  const changeMe = (me: Me): Promise<void> =>
    speak(me).then(() => changeSession((session) => ({ ...session, me })))
  const changeModel: Session['changeModel'] = (change) =>
    changeSession((session) => ({ ...session, model: change(session.model) }))
  const begin = async (): Promise<void> => {
    setState({ kind: 'loading' })
    try {
      if (isInvited()) return await speak().then(() => setState({ kind: 'accept' }))
      const { me, model } = askAll()
      void loadPage(location.pathname, client)
      await speak()
      await enter((await me).body, model)
    } catch (error) {
      setState(isWithoutSession(error) ? { kind: 'signed-out' } : { kind: 'failed', error })
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened
  useEffect(() => {
    void begin()
  }, [])

  const signOut = async (): Promise<void> => {
    if (!mayLeave()) return
    await endSession()
    client.clear()
    setState({ kind: 'signed-out' })
  }
  const onAccepted = (): void => {
    history.replaceState(null, '', '/desk')
    setState({ kind: 'signed-out' })
  }
  const shown = () => {
    switch (state.kind) {
      case 'accept':
        return <AcceptPage onDone={onAccepted} />
      case 'loading':
        return <Waiting onAgain={() => location.reload()} />
      case 'failed':
        return <Failed error={state.error} onAgain={begin} />
      case 'signed-out':
        return (
          <SignInPage
            site={site}
            onDone={(me) => void enter(me).catch((error) => setState({ kind: 'failed', error }))}
          />
        )
      case 'signed-in':
        return (
          <SessionProvider value={{ ...state.session, changeMe, changeModel }}>
            <Router base="/desk">
              <Rooms site={site} onSignOut={signOut} />
            </Router>
            <Guard person={state.session.me.person} onAgain={(me) => void changeMe(me)} />
          </SessionProvider>
        )
    }
  }
  // Before the pages are drawn, which send requests.
  signedInAs(state.kind === 'signed-in' ? state.session.me.person.id : undefined)
  return <TextContext value={texts}>{shown()}</TextContext>
}

/** Shows the form to sign in over the page when the session has ended, and lets the waiting requests go on. */
function Guard({ person, onAgain }: { person: Me['person']; onAgain: (me: Me) => void }) {
  const [waiting, setWaiting] = useState<readonly (() => void)[]>([])
  useEffect(
    () => onSignedOut(() => new Promise((resolve) => setWaiting((others) => [...others, resolve]))),
    [],
  )
  if (waiting.length === 0) return null
  return (
    <SignInAgain
      person={person}
      onDone={(me) => {
        // Somebody else begins anew; what the first person has typed stays on the device for that person.
        if (me.person.id !== person.id) return location.assign('/desk')
        for (const resolve of waiting) resolve()
        setWaiting([])
        onAgain(me)
      }}
    />
  )
}

function Failed({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const text = useText()
  return (
    <main className="door">
      <h1 className="brand">Octavo</h1>
      <Trouble {...{ onAgain, error }}>
        {text.notLoaded(text.desk)} {reasonOf(error, text)}
      </Trouble>
    </main>
  )
}
