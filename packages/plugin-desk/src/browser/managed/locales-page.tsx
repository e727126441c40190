import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { remove, request } from '../api.ts'
import { Asked } from '../asked.tsx'
import { Dialog } from '../media/dialog.tsx'
import type { Model } from '../model.ts'
import { useSession } from '../session.tsx'
import { TextField } from '../settings/setting.tsx'
import { useText } from '../text/index.ts'
import { useAttempt } from '../trouble.tsx'
import { SureButton } from './sure-button.tsx'

/** A locale, as `GET locales` has it. */
interface StoredLocale {
  readonly id: number
  readonly code: string
  readonly name: string | null
  readonly isDefault: boolean
}

type Method = 'POST' | 'PUT' | 'DELETE'

/** The stored locales, and changes of them, after each of which the other pages have the locales as they are now. */
function useLocales() {
  const client = useQueryClient()
  const { model, changeModel } = useSession()
  const { attempt, trouble } = useAttempt()
  const asking = useQuery<readonly StoredLocale[]>({
    queryKey: ['locales'],
    queryFn: ({ signal }) =>
      request<readonly StoredLocale[]>('GET', 'locales', { signal }).then(({ body }) => body),
  })
  const change = (method: Method, path: string, body?: object): Promise<boolean> =>
    attempt(async () => {
      if (method === 'DELETE') await remove(path)
      else await request(method, path, body === undefined ? {} : { body })
      try {
        const { locales } = (await request<Model>('GET', 'model')).body
        changeModel({ ...model, locales })
      } finally {
        // Last, so that nothing goes on any more when the page shows the change: a click would be lost.
        await client.invalidateQueries({ queryKey: ['locales'] })
      }
    })
  return { asking, trouble, change }
}

/** The languages in which entries are written. */
export default function LocalesPage() {
  const text = useText()
  const [isMaking, setMaking] = useState(false)
  const { asking, trouble, change } = useLocales()
  useEffect(() => {
    document.title = text.languages
  }, [text])
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [code, name] = ['code', 'name'].map((field) => String(given.get(field)).trim())
    if (await change('POST', 'locales', { code, ...(name && { name }) })) setMaking(false)
  }
  return (
    <div className="room">
      <div className="bar">
        <span className="grow" />
        <button type="button" className="button main" onClick={() => setMaking(true)}>
          {text.newLocale}
        </button>
      </div>
      <main id="main" className="page" tabIndex={-1}>
        <div className="head">
          <h1>{text.languages}</h1>
        </div>
        <p>{text.localesWhy}</p>
        {!isMaking && trouble}
        <Asked of={{ [text.languages]: asking }} />
        <ul className="people">
          {asking.data?.map((locale) => (
            <LocaleRow key={locale.id} locale={locale} onChange={change} />
          ))}
        </ul>
      </main>
      {isMaking && (
        <Dialog title={text.newLocale} onClose={() => setMaking(false)}>
          {trouble}
          <form className="sign-in" onSubmit={add}>
            <TextField label={text.localeCode} name="code" hint={text.localeCodeWhy} />
            <TextField label={text.fileName} name="name" required={false} hint={text.localeNameWhy} />
            <div className="row">
              <button type="submit" className="button main">
                {text.addLocale}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </div>
  )
}

interface LocaleRowProps {
  readonly locale: StoredLocale
  readonly onChange: (method: Method, path: string, body?: object) => Promise<boolean>
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
