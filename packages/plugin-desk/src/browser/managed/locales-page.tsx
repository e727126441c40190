import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import type { Model } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { Asked } from '../page-parts/asked.tsx'
import { Bar } from '../page-parts/bar.tsx'
import { SubmitRow } from '../page-parts/desk-parts.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { useOpening } from '../page-parts/opening.ts'
import { SureButton } from '../page-parts/sure-button.tsx'
import { useAttempt } from '../page-parts/trouble.tsx'
import { remove, request } from '../requests/api.ts'
import { useCreation } from '../requests/creation.ts'
import { TextField } from '../settings/setting.tsx'
import { useText } from '../text/index.ts'

/** A locale, as `GET locales` has it. */
interface StoredLocale {
  readonly id: number
  readonly code: string
  readonly name: string | null
  readonly isDefault: boolean
}

type Method = 'POST' | 'PUT' | 'DELETE'

interface Given {
  readonly code?: string | undefined
  readonly name?: string
  readonly isDefault?: boolean
}

type Change = (method: Method, path: string, body?: Given) => Promise<boolean>

/** A change of the stored locales, after which the other pages have the locales as they are now. */
function useChange(): { readonly change: Change; readonly trouble: ReactNode } {
  const client = useQueryClient()
  const { changeModel } = useSession()
  const { inTurn, trouble } = useAttempt()
  const create = useCreation<StoredLocale>({ queryKey: ['locales'], path: 'locales', items: (all) => all })
  const make = (body: Given): Promise<unknown> =>
    create({
      body,
      make: () => request('POST', 'locales', { body }),
      isIt: ({ code }) => code.toLowerCase() === body.code?.toLowerCase(),
      found: async () => undefined,
    })
  const change: Change = (method, path, body = {}) =>
    inTurn(async () => {
      if (method === 'DELETE') await remove(path)
      else if (method === 'POST') await make(body)
      else await request(method, path, { body })
      try {
        const { locales } = (await request<Model>('GET', 'model')).body
        changeModel((model) => ({ ...model, locales }))
      } finally {
        // Last, so that nothing goes on any more when the page shows the change: a click would be lost.
        await client.invalidateQueries({ queryKey: ['locales'] })
      }
    }, `${method} ${path}`)
  return { change, trouble }
}

/** The languages in which entries are written. */
export default function LocalesPage() {
  const text = useText()
  const [isMaking, open, close] = useOpening<true>()
  const { change, trouble } = useChange()
  const locales = useQuery<readonly StoredLocale[]>({
    queryKey: ['locales'],
    queryFn: ({ signal }) =>
      request<readonly StoredLocale[]>('GET', 'locales', { signal }).then(({ body }) => body),
  })
  useEffect(() => {
    document.title = text.languages
  }, [text])
  return (
    <div className="room">
      <Bar>
        <span className="grow" />
        <button type="button" className="button main" onClick={() => open(true)}>
          {text.newLocale}
        </button>
      </Bar>
      <main id="main" className="page" tabIndex={-1}>
        <div className="head">
          <h1>{text.languages}</h1>
        </div>
        <p>{text.localesWhy}</p>
        {trouble}
        <Asked of={{ [text.languages]: locales }} />
        <ul className="people">
          {locales.data?.map((locale) => (
            <LocaleRow key={locale.id} locale={locale} onChange={change} />
          ))}
        </ul>
      </main>
      {isMaking && <NewLocale onClose={close} />}
    </div>
  )
}

/** Adds a language. */
function NewLocale({ onClose }: { readonly onClose: () => void }) {
  const text = useText()
  const { change, trouble } = useChange()
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [code, name] = ['code', 'name'].map((field) => String(given.get(field)).trim())
    if (await change('POST', 'locales', { code, ...(name && { name }) })) onClose()
  }
  return (
    <Dialog title={text.newLocale} onClose={onClose}>
      {trouble}
      <form className="sign-in" onSubmit={add}>
        <TextField label={text.localeCode} name="code" hint={text.localeCodeWhy} />
        <TextField label={text.fileName} name="name" required={false} hint={text.localeNameWhy} />
        <SubmitRow label={text.addLocale} />
      </form>
    </Dialog>
  )
}

interface LocaleRowProps {
  readonly locale: StoredLocale
  readonly onChange: Change
}

function LocaleRow({ locale: { id, code, name, isDefault }, onChange }: LocaleRowProps) {
  const text = useText()
  const shown = name ?? code
  return (
    <li>
      <span className="who">
        <strong>{shown}</strong>
        <span className="num">{code}</span>
      </span>
      <span className="roles" />
      {isDefault ? (
        <span className="pill live">{text.defaultLocale}</span>
      ) : (
        <>
          <button
            type="button"
            className="button quiet"
            aria-label={`${text.makeDefault}: ${shown}`}
            onClick={() => void onChange('PUT', `locales/${id}`, { isDefault: true })}
          >
            {text.makeDefault}
          </button>
          <SureButton
            label={text.remove}
            name={text.deleteTitle(shown)}
            onSure={() => void onChange('DELETE', `locales/${id}`)}
          />
        </>
      )}
    </li>
  )
}
