import type { QueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { ExtensionPage } from './extensions/extension-page.tsx'
import { useExtensions } from './extensions/registry.ts'
import { Home } from './home.tsx'
import { ListPage } from './list/list-page.tsx'
import { askList } from './list/list-request.ts'
import { LostPage } from './lost-page.tsx'
import { type ContentType, fileUid, type Model } from './model/model.ts'
import { type SignedIn, useSession } from './model/session.tsx'
import { Waiting } from './page-parts/desk-parts.tsx'
import { whenPageIsEntered } from './page-parts/focus-back.ts'
import { type OwnPage, pageOf, Shown } from './page-parts/page.tsx'
import { pageKey } from './page-parts/page-keys.ts'
import { Rail } from './rail.tsx'
import { useText } from './text/index.ts'

const entryPage = pageOf(() => import('./entry/entry-page.tsx'))
/** The unsaved text of an entry that the desk does not show. */
const leftText = pageOf(async () => ({ default: (await import('./entry/left-text.tsx')).LeftText }))
const mediaPage = pageOf(async () => {
  const { default: MediaPage, ask } = await import('./media/media-page.tsx')
  return { default: MediaPage, ask }
})
const peoplePage = pageOf(() => import('./people/people-page.tsx'))
const layoutsPage = pageOf(() => import('./layouts/layouts-page.tsx'))
const rolesPage = pageOf(() => import('./roles/roles-page.tsx'))
const tokensPage = pageOf(() => import('./managed/tokens-page.tsx'))
const webhooksPage = pageOf(() => import('./managed/webhooks-page.tsx'))
const localesPage = pageOf(() => import('./managed/locales-page.tsx'))
const settingsPage = pageOf(() => import('./settings/settings-page.tsx'))

const pages: Readonly<Record<string, Pick<OwnPage<object>, 'load'>>> = {
  '/desk/media': mediaPage,
  '/desk/people': peoplePage,
  '/desk/layouts': layoutsPage,
  '/desk/roles': rolesPage,
  '/desk/tokens': tokensPage,
  '/desk/webhooks': webhooksPage,
  '/desk/locales': localesPage,
  '/desk/settings': settingsPage,
}

/** Loads the page of an address, so that it is drawn at once: while the desk still asks who the person is. */
export async function loadPage(address: string, client: QueryClient): Promise<void> {
  const page = /^\/desk\/content\/[^/]+\/./.test(address) ? entryPage : pages[address]
  // The page itself says when it cannot be loaded.
  await page?.load(client).catch(() => {})
}

/** Asks for what the page of an address begins with, as soon as the model is known. */
export function askPage({ pathname, search }: Location, client: QueryClient, session: SignedIn): void {
  const type = typeAt(session.model, /^\/desk\/content\/([^/]+)$/.exec(pathname)?.[1])
  if (type?.kind === 'collectionType') askList(client, type, session, search)
}

/** The content-type with a route of its own. */
const typeAt = (model: Model, route: string | undefined): ContentType | undefined =>
  model.types.find((one) => one.route === route && one.uid !== fileUid)

/** Gives the focus to each page after the first one. */
function useEnteredPage(key: string): void {
  const shown = useRef(key)
  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    whenPageIsEntered(() => document.getElementById('main'))
  }, [key])
}

/** The navigation beside the page of the address. */
export function Rooms({ site, onSignOut }: { site: string; onSignOut: () => void }) {
  const text = useText()
  const { me } = useSession()
  const [address] = useLocation()
  const key = pageKey(address)
  useEnteredPage(key)
  return (
    <div className="desk">
      <a className="skip" href="#main">
        {text.skip}
      </a>
      <Rail site={site} onSignOut={onSignOut} />
      <LostPage key={key}>
        <Suspense fallback={<Waiting />}>
          <Switch>
            <Route path="/content/:route">{({ route }) => <OfType route={route} />}</Route>
            <Route path="/content/:route/:id">{({ route, id }) => <OfType route={route} id={id} />}</Route>
            <Route path="/media">
              <Shown page={mediaPage} props={{}} />
            </Route>
            {me.may.people === true && (
              <Route path="/people">
                <Shown page={peoplePage} props={{}} />
              </Route>
            )}
            {me.may.roles === true && (
              <Route path="/roles">
                <Shown page={rolesPage} props={{}} />
              </Route>
            )}
            {me.may.layouts === true && (
              <Route path="/layouts">
                <Shown page={layoutsPage} props={{}} />
              </Route>
            )}
            <Route path="/pages/:page">{({ page }) => <OfExtension name={page} />}</Route>
            {me.may.tokens === true && (
              <Route path="/tokens">
                <Shown page={tokensPage} props={{}} />
              </Route>
            )}
            {me.may.webhooks === true && (
              <Route path="/webhooks">
                <Shown page={webhooksPage} props={{}} />
              </Route>
            )}
            {me.may.settings === true && (
              <Route path="/locales">
                <Shown page={localesPage} props={{}} />
              </Route>
            )}
            <Route path="/settings">
              <Shown page={settingsPage} props={{}} />
            </Route>
            <Route path="/">
              <Home />
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </LostPage>
    </div>
  )
}

function OfType({ route, id }: { route: string; id?: string | undefined }) {
  const { model } = useSession()
  const type = typeAt(model, route)
  if (!type)
    return (
      <NotFound>
        <Shown page={leftText} props={{ type, route, id }} />
      </NotFound>
    )
  if (type.kind === 'singleType')
    return <Shown key={type.uid} page={entryPage} props={{ type, id: undefined }} />
  return id === undefined ? (
    <ListPage key={type.uid} type={type} />
  ) : (
    <Shown page={entryPage} props={{ type, id }} />
  )
}

function OfExtension({ name }: { name: string }) {
  const page = useExtensions().pages.find((one) => one.name === name)
  return page ? <ExtensionPage key={name} page={page} /> : <NotFound />
}

function NotFound({ children }: { children?: ReactNode }) {
  const text = useText()
  return (
    <main id="main" className="page" tabIndex={-1}>
      <h1>{text.notFound}</h1>
      {children}
      <p>
        <Link href="/">{text.backHome}</Link>
      </p>
    </main>
  )
}
