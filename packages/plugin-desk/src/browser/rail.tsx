import { type KeyboardEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { inLanguage, useExtensions } from './extensions/registry.ts'
import { fileUid, titleOf } from './model/model.ts'
import { initialsOf, may, nameOf } from './model/rights.ts'
import { useSession } from './model/session.tsx'
import { useText } from './text/index.ts'

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

/** The way to the pages that the person may open. */
export function Rail({ site, onSignOut }: { site: string; onSignOut: () => void }) {
  const text = useText()
  const { me, model } = useSession()
  const { pages } = useExtensions()
  const [address] = useLocation()
  const open = model.types.filter(({ uid }) => uid !== fileUid && may(me, uid, 'read'))
  const lists = open.filter(({ kind }) => kind === 'collectionType')
  const singles = open.filter(({ kind }) => kind === 'singleType')
  const name = nameOf(me)
  const { isOpen, toggle, onKey } = useMenu(address)
  const link = (path: string, label: string) => (
    <li key={path}>
      <Link
        href={path}
        aria-current={address === path || address.startsWith(`${path}/`) ? 'page' : undefined}
      >
        {label}
      </Link>
    </li>
  )
  const group = (title: string, links: readonly React.ReactNode[]) =>
    links.length > 0 && (
      <>
        <h2>{title}</h2>
        <ul>{links}</ul>
      </>
    )
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
        <nav aria-label={text.navigation}>
          {group(
            text.content,
            lists.map((type) => link(`/content/${type.route}`, titleOf(type))),
          )}
          {group(
            text.singles,
            singles.map((type) => link(`/content/${type.route}`, titleOf(type))),
          )}
          {may(me, fileUid, 'read') && group(text.fileRooms, [link('/media', text.media)])}
          {group(
            text.morePages,
            pages.map(({ name, title }) => link(`/pages/${name}`, inLanguage(title, text.language))),
          )}
          {group(text.desk, [
            ...(me.may.people === true ? [link('/people', text.people)] : []),
            ...(me.may.roles === true ? [link('/roles', text.roles)] : []),
            ...(me.may.layouts === true ? [link('/layouts', text.layouts)] : []),
            ...(me.may.tokens === true ? [link('/tokens', text.tokens)] : []),
            ...(me.may.webhooks === true ? [link('/webhooks', text.webhooks)] : []),
            ...(me.may.settings === true ? [link('/locales', text.languages)] : []),
            link('/settings', text.settings),
          ])}
        </nav>
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
