import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { emptyGroup, Form, modelOf, readEntry } from '../../form/index.ts'
import { ApiError, request } from '../api.ts'
import { Waiting } from '../desk-parts.tsx'
import { type Entry, labelOf } from '../entries.ts'
import { FieldView } from '../fields/field.tsx'
import { type ContentType, nounOf } from '../model.ts'
import { may, mayField } from '../rights.ts'
import { useSession } from '../session.tsx'
import { reasonOf } from '../sign-in.tsx'
import { useText } from '../text/index.ts'
import { EntryBar } from './bar.tsx'
import { type EntryContext, FormContext, OpenParts } from './context.ts'
import { entryQuery } from './entry-query.ts'
import { copyKey, readCopy } from './local-copy.ts'
import { Margin } from './margin.tsx'
import { Notes } from './notes.tsx'
import type { Stored } from './requests.ts'
import { Sheet } from './sheet.tsx'
import { useSaving } from './use-saving.ts'

/** An entry, or a new one with the id `new`. @param id `undefined` for a single type */
export default function EntryPage({ type, id }: { type: ContentType; id: string | undefined }) {
  const text = useText()
  const { model } = useSession()
  const search = new URLSearchParams(useSearch())
  const locale = search.get('locale') ?? undefined
  const isNew = id === 'new'
  const { data, error } = useQuery<Stored>({
    queryKey: ['entry', type.uid, id ?? '', locale ?? ''],
    queryFn: async ({ signal }) => {
      if (isNew) return { entry: undefined, etag: undefined }
      const query = {
        ...entryQuery(type, model),
        ...(id === undefined && locale !== undefined && { locale }),
      }
      const path = id === undefined ? `content/${type.route}` : `content/${type.route}/${id}`
      try {
        const { body, etag } = await request<{ data: Entry | null }>('GET', path, { query, signal })
        return { entry: body.data ?? undefined, etag }
      } catch (failure) {
        // A single type without its entry yet.
        if (id === undefined && failure instanceof ApiError && failure.status === 404)
          return { entry: undefined, etag: undefined }
        throw failure
      }
    },
    // The form holds the entry from here on.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (error)
    return (
      <main id="main" className="page">
        <p className="note wrong" role="alert">
          {error instanceof ApiError && error.status === 404 ? text.notFound : reasonOf(error, text)}
        </p>
      </main>
    )
  if (!data) return <Waiting />
  const origin = isNew ? (search.get('from') ?? undefined) : undefined
  const language = locale ?? (type.isLocalized ? model.locales[0]?.code : undefined)
  return (
    <Editor key={`${id} ${locale} ${origin}`} {...{ type, id, origin }} locale={language} loaded={data} />
  )
}

interface EditorProps {
  readonly type: ContentType
  readonly id: string | undefined
  readonly locale: string | undefined
  readonly origin: string | undefined
  readonly loaded: Stored
}

function Editor({ type, id, locale: wanted, origin, loaded }: EditorProps) {
  const text = useText()
  const { me, model } = useSession()
  const [, go] = useLocation()
  const client = useQueryClient()
  const locale = typeof loaded.entry?.attributes.locale === 'string' ? loaded.entry.attributes.locale : wanted
  const copy = copyKey([me.person.id, type.route, id, locale, origin])
  const [{ form, restored }] = useState(() => begin(type, model, loaded, copy))
  const [open] = useState(() => new OpenParts())
  const [unfinished] = useState(() => new Map<string, string>())
  const [isRestored, setRestored] = useState(restored)
  const saving = useSaving({
    ...{ type, model, form, open, unfinished, origin, copy },
    stored: loaded,
    locale: type.isLocalized ? locale : undefined,
    onCreated: (created) => go(`/content/${type.route}/${created}`, { replace: true }),
  })
  const { entry } = saving.stored
  const action = entry ? 'update' : 'create'
  const mayAct = may(me, type.uid, action, locale)
  const context: EntryContext = {
    ...{ form, type, open, unfinished },
    Field: FieldView,
    mayWrite: (path) => mayAct && mayField(me, type.uid, action, path, locale),
  }
  const name = entry ? labelOf(entry, type, nounOf(type), text) : text.newEntry(nounOf(type))
  useEffect(() => {
    document.title = name
  }, [name])
  const discard = () => {
    saving.abandon()
    // The entry is loaded anew, into another form.
    void client.resetQueries({ queryKey: ['entry', type.uid, id ?? ''] })
  }
  return (
    <FormContext value={context}>
      <div className="room">
        <EntryBar {...{ type, saving, locale, origin, mayAct }} name={name} />
        <main id="main" className="entry" tabIndex={-1}>
          <Notes
            saving={saving}
            restored={isRestored}
            onKeep={() => setRestored(undefined)}
            onDiscard={discard}
          />
          <Sheet type={type} name={name} isTranslation={origin !== undefined} />
          <Margin type={type} entry={entry} isTranslation={origin !== undefined} />
        </main>
      </div>
    </FormContext>
  )
}

/** The form of an entry, with the changes that this device has kept. */
function begin(type: ContentType, model: Parameters<typeof entryQuery>[1], { entry }: Stored, copy: string) {
  const formModel = modelOf(model)
  const stored = entry ? readEntry(formModel, type.uid, entry) : emptyGroup(formModel, type.uid)
  const kept = readCopy(copy)
  if (!kept) return { form: new Form(formModel, stored), restored: undefined }
  try {
    const form = new Form(formModel, kept.base, { mine: kept.mine })
    form.receive(stored)
    return { form, restored: form.isChanged ? kept.at : undefined }
  } catch {
    // A copy of another version of the content-type.
    return { form: new Form(formModel, stored), restored: undefined }
  }
}
