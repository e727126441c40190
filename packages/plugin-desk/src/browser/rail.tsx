import { Fragment, type KeyboardEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { inLanguage, useExtensions } from './extensions/registry.ts'
import { type ContentType, fileUid, titleOf } from './model/model.ts'
import { initialsOf, may, nameOf } from './model/rights.ts'
import { useSession } from './model/session.tsx'
import { useFinding } from './page-parts/finding.tsx'
import { showWithin } from './page-parts/within.ts'
import { useText } from './text/index.ts'

/** Links that a menu has room for without a field to find one. */
const shortMenu = 30

/** The list of rooms on a narrow screen. It closes when one is entered. */
function useMenu(address: string) {
  const [openAt, setOpenAt] = useState<string>()
  const isOpen = openAt === address
  const toggle = () => setOpenAt(isOpen ? undefined : address)
  const onKey = ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'Escape' || !isOpen) return
    setOpenAt(undefined)
    currentTarget.querySelector<HTMLElement>('.menu-button')?.focus()
  }
  return { isOpen, toggle, onKey }
}

/** Shows the link of the open room in a menu that is longer than the window. */
const showInMenu = (link: HTMLAnchorElement | null): void =>
  showWithin(link?.closest<HTMLElement>('.rail') ?? null, link)

interface Group {
  readonly title: string
  readonly rooms: readonly { readonly path: string; readonly label: string }[]
}

/** The pages that the person may open. */
function useGroups(): readonly Group[] {
  const text = useText()
  const { me, model } = useSession()
  const { pages } = useExtensions()
  const open = model.types.filter(({ uid }) => uid !== fileUid && may(me, uid, 'read'))
  const ofKind = (wanted: ContentType['kind']) =>
    open
      .filter(({ kind }) => kind === wanted)
      .map((type) => ({ path: `/content/${type.route}`, label: titleOf(type) }))
  const ofDesk = [
    { is: me.may.people, path: '/people', label: text.people },
    { is: me.may.roles, path: '/roles', label: text.roles },
    { is: me.may.layouts, path: '/layouts', label: text.layouts },
    { is: me.may.tokens, path: '/tokens', label: text.tokens },
    { is: me.may.webhooks, path: '/webhooks', label: text.webhooks },
    { is: me.may.settings, path: '/locales', label: text.languages },
    { is: true, path: '/settings', label: text.settings },
  ]
  return [
    { title: text.content, rooms: ofKind('collectionType') },
    { title: text.singles, rooms: ofKind('singleType') },
    {
      title: text.fileRooms,
      rooms: may(me, fileUid, 'read') ? [{ path: '/media', label: text.media }] : [],
    },
    {
      title: text.morePages,
      rooms: pages.map(({ name, title }) => ({
        path: `/pages/${name}`,
        label: inLanguage(title, text.language),
      })),
    },
    { title: text.desk, rooms: ofDesk.filter(({ is }) => is === true) },
  ]
}

/** The links to the pages; a long menu has a field to find one by its name. */
function Menu({ address }: { address: string }) {
  const text = useText()
  const groups = useGroups()
  const { isMeant, field } = useFinding(address)
  const isLong = groups.flatMap(({ rooms }) => rooms).length > shortMenu
  const found = groups
    .map(({ title, rooms }) => ({ title, rooms: rooms.filter(({ label }) => isMeant(label)) }))
    .filter(({ rooms }) => rooms.length > 0)
  return (
    <>
      {isLong && field(text.findInMenu, found.length === 0)}
      <nav aria-label={text.navigation}>
        {found.map(({ title, rooms }) => (
          <Fragment key={title}>
            <h2>{title}</h2>
            <ul>
              {rooms.map(({ path, label }) => {
                const isOpen = address === path || address.startsWith(`${path}/`)
                return (
                  <li key={path}>
                    <Link
                      href={path}
                      aria-current={isOpen ? 'page' : undefined}
                      ref={isOpen ? showInMenu : undefined}
                    >
                      {label}
                    </Link>
                  </li>
                )
              })}
            </ul>
          </Fragment>
        ))}
      </nav>
    </>
  )
}

/** The name of the desk, the way to its pages, and the person. */
export function Rail({ site, onSignOut }: { site: string; onSignOut: () => void }) {
  const text = useText()
  const { me } = useSession()
  const [address] = useLocation()
  const name = nameOf(me)
  const { isOpen, toggle, onKey } = useMenu(address)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys that its menu and its button do not handle
    <header className="rail" onKeyDown={onKey}>
      <div className="rail-top">
        <Link href="/" className="brand">
          Octavo
          {site !== '' && <small>{site}</small>}
        </Link>
        <button
          type="button"
          className="button menu-button"
          aria-controls="rooms"
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {text.menu}
        </button>
      </div>
      <div id="rooms" className="rooms" data-open={isOpen || undefined}>
        <Menu address={address} />
        <div className="me">
          <span className="avatar" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className="me-name">{name}</span>
          <button className="button quiet" type="button" onClick={onSignOut}>
            {text.signOut}
          </button>
        </div>
      </div>
    </header>
  )
}
