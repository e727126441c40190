import { type FormEvent, useEffect, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { request } from '../api.ts'
import { FormFoot } from '../desk-parts.tsx'
import { fileUid, inWords, type LaidOut, type Layout, titleOf } from '../model.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { useAttempt } from '../trouble.tsx'
import { useUnsaved } from '../unsaved.ts'
import { placesOf, rowsOf } from './edit-layout.ts'
import { FieldPlace } from './field-place.tsx'
import { ListSettings } from './list-settings.tsx'
import { OrderedList } from './ordered-list.tsx'

type Owner = LaidOut & { readonly uid: string }

/** The layouts of content-types and components, one of which is open: `/desk/layouts?type=api::article.article`. */
export default function LayoutsPage() {
  const text = useText()
  const { model } = useSession()
  const chosen = new URLSearchParams(useSearch()).get('type')
  useEffect(() => {
    document.title = text.layouts
  }, [text])
  const types = model.types.filter(({ uid }) => uid !== fileUid)
  const owners: readonly Owner[] = [...types, ...model.components]
  const owner = owners.find(({ uid }) => uid === chosen)
  const link = (uid: string, label: string) => (
    <Link key={uid} href={`/layouts?type=${uid}`} aria-current={uid === chosen ? 'page' : undefined}>
      {label}
    </Link>
  )
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="head">
        <h1>{text.layouts}</h1>
      </div>
      <nav className="views" aria-label={text.layouts}>
        {types.map((type) => link(type.uid, titleOf(type)))}
        {model.components.map(({ uid, name }) => link(uid, name))}
      </nav>
      {owner ? (
        <LayoutForm key={`${owner.uid}`} owner={owner} hasList={types.some(({ uid }) => uid === owner.uid)} />
      ) : (
        <p className="empty">{text.chooseLayout}</p>
      )}
    </main>
  )
}

/** The layout of a content-type or component while it is changed. */
function useLayout(owner: Owner) {
  const text = useText()
  const { model, changeModel } = useSession()
  const [layout, setLayout] = useState<Layout>(owner.layout)
  const [told, tell] = useState('')
  const { attempt, trouble } = useAttempt()
  useUnsaved(() => layout !== owner.layout)
  const path = `layouts/${encodeURIComponent(owner.uid)}`
  const change = (work: () => Promise<Layout>) =>
    attempt(async () => {
      tell('')
      const next = await work()
      const withNext = <T extends Owner>(one: T): T =>
        one.uid === owner.uid ? { ...one, layout: next } : one
      setLayout(next)
      changeModel({
        ...model,
        types: model.types.map(withNext),
        components: model.components.map(withNext),
      })
      tell(text.saved)
    })
  const save = () => change(async () => (await request<Layout>('PUT', path, { body: layout })).body)
  const reset = () =>
    change(async () => {
      await request('DELETE', path)
      return (await request<Layout>('GET', path)).body
    })
  return { layout, setLayout, told, trouble, save, reset }
}

function LayoutForm({ owner, hasList }: { owner: Owner; hasList: boolean }) {
  const text = useText()
  const { layout, setLayout, told, trouble, save, reset } = useLayout(owner)
  const labelOf = (name: string) => (name === 'id' ? text.id : (layout.fields[name]?.label ?? inWords(name)))
  const places = placesOf(layout)
  const shown = places.map(({ name }) => name)
  const names = Object.keys(owner.attributes)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form className="layout" onSubmit={submit}>
      {trouble}
      <section className="sheet">
        <h2>{text.formOf}</h2>
        <OrderedList
          items={places}
          labelOf={labelOf}
          others={names.filter((name) => !shown.includes(name) && owner.attributes[name]?.readOnly !== true)}
          make={(name) => ({ name, size: 12, starts: true })}
          addLabel={text.addField}
          onChange={(items) => setLayout({ ...layout, form: rowsOf(items) })}
        >
          {(place, i) => (
            <FieldPlace
              place={place}
              look={layout.fields[place.name] ?? { label: inWords(place.name) }}
              onPlace={(next) => setLayout({ ...layout, form: rowsOf(places.with(i, next)) })}
              onLook={(look) => setLayout({ ...layout, fields: { ...layout.fields, [place.name]: look } })}
            />
          )}
        </OrderedList>
      </section>
      {hasList && (
        <ListSettings
          {...{ layout, labelOf }}
          names={['id', ...names.filter((name) => owner.attributes[name]?.type !== 'password')]}
          onChange={setLayout}
        />
      )}
      <FormFoot save={text.save} told={told}>
        <button type="button" className="button quiet danger" onClick={reset}>
          {text.usualLayout}
        </button>
      </FormFoot>
    </form>
  )
}
