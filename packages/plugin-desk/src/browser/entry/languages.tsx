import { type MouseEvent, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { EntryData } from '../../wire/index.ts'
import { relatedIn } from '../model/entries.ts'
import type { ContentType } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { mayBegin } from '../open-entry/begin.ts'
import { useSummary } from '../open-entry/context.ts'
import { useStates } from '../page-parts/desk-parts.tsx'
import { showWithin } from '../page-parts/within.ts'
import { useText } from '../text/index.ts'
import type { Saving } from './use-saving.ts'

/** The path of the language that was chosen last, until its page is there. */
let chosen: string | undefined

/**
 * Each language is a page, with languages of its own: the focus goes on at the one that was chosen, unless it is somewhere else by the
 * time the page is there.
 */
function useKeptFocus() {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLAnchorElement>('[aria-current]')
    showWithin(nav.current, current)
    const { activeElement, body } = document
    // The page as a whole has it where it was drawn before its languages.
    const isNowhere = activeElement === body || activeElement?.id === 'main'
    if (current?.pathname === chosen && isNowhere) current?.focus({ preventScroll: true })
    chosen = undefined
  }, [])
  const leave = ({ currentTarget }: MouseEvent<HTMLAnchorElement>): void => {
    chosen = currentTarget.pathname
  }
  return { nav, leave }
}

interface Version {
  readonly id: number
  readonly locale: string | undefined
  readonly publishedAt: unknown
}

/** The entry, and its versions in other languages. */
const versionsOf = ({ id, attributes }: EntryData, locale: string | undefined): readonly Version[] => [
  { id, locale, publishedAt: attributes.publishedAt },
  ...relatedIn(attributes.localizations)
    .map((one) => ({
      id: one.id,
      locale: String(one.attributes.locale),
      publishedAt: one.attributes.publishedAt,
    }))
    .filter((one) => one.locale !== locale),
]

interface LanguagesProps {
  readonly type: ContentType
  readonly saving: Saving
  readonly locale: string | undefined
  readonly origin: string | undefined
}

/** The languages of an entry as links to its translations. A new entry has those in which it may be begun. */
export function Languages({ type, saving, locale, origin }: LanguagesProps) {
  const text = useText()
  const session = useSession()
  const { model } = session
  const { entry, busy } = saving
  const { changed } = useSummary('')
  const { nav, leave } = useKeptFocus()
  const versions = entry ? versionsOf(entry, locale) : []
  const states = useStates(
    type.hasDrafts,
    versions.map(({ publishedAt }) => publishedAt),
  )
  if (!type.isLocalized || model.locales.length < 2) return null
  if (!entry)
    return (
      <nav ref={nav} className="langs" aria-label={text.languages}>
        {model.locales
          // A new entry that has begun is translated once it is saved: another language would be another entry.
          .filter(
            ({ code }) =>
              code === locale ||
              (origin === undefined && changed === 0 && !busy && mayBegin({ type, locale: code }, session)),
          )
          .map(({ code, name }) => (
            <Link
              key={code}
              href={`/content/${type.route}${type.kind === 'singleType' ? '' : '/new'}?locale=${code}`}
              onClick={leave}
              aria-current={code === locale ? 'true' : undefined}
              title={name}
            >
              {code}
            </Link>
          ))}
      </nav>
    )
  const isTranslation = type.kind === 'collectionType'
  return (
    <nav ref={nav} className="langs" aria-label={text.languages}>
      {model.locales.map(({ code, name }) => {
        const at = versions.findIndex((one) => one.locale === code)
        const [version, shown] = [versions[at], states[at]]
        if (!version && !mayBegin({ type, locale: code, isTranslation }, session)) return null
        const address =
          type.kind === 'singleType'
            ? `/content/${type.route}?locale=${code}`
            : version
              ? `/content/${type.route}/${version.id}`
              : `/content/${type.route}/new?locale=${code}&from=${entry.id}`
        const words = shown?.words ?? text.notTranslated(name)
        return (
          <Link
            key={code}
            href={address}
            onClick={leave}
            aria-current={code === locale ? 'true' : undefined}
            title={`${name}: ${words}`}
          >
            <i className={`dot ${shown?.state ?? 'none'}`} />
            {code}
            <span className="hidden">{words}</span>
          </Link>
        )
      })}
    </nav>
  )
}
