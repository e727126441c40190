import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { sameJson } from '../../form/index.ts'
import { componentName, fileUid, inWords, type LaidOut, type Layout, titleOf } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { Asked } from '../page-parts/asked.tsx'
import { FormFoot } from '../page-parts/desk-parts.tsx'
import { useUnsaved } from '../page-parts/unsaved.ts'
import { useOpened, useVersion } from '../page-parts/version.tsx'
import { type Answer, remove, request } from '../requests/api.ts'
import { useText } from '../text/index.ts'
import { placesOf, rowsOf } from './edit-layout.ts'
import { FieldPlace } from './field-place.tsx'
import { ListSettings } from './list-settings.tsx'
import { OrderedList } from './ordered-list.tsx'

type Owner = LaidOut & { readonly uid: string }

const pathOf = ({ uid }: Owner): string => `layouts/${encodeURIComponent(uid)}`

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
  const components = model.components.map(({ uid }) => uid)
  const owner = owners.find(({ uid }) => uid === chosen)
  const opened = useOpened<Layout>(owner && pathOf(owner))
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
        {components.map((uid) => link(uid, componentName(model, uid, components)))}
      </nav>
      {owner && <Asked of={{ [text.layouts]: opened }} />}
      {owner ? (
        opened.data && (
          <LayoutForm
            key={`${owner.uid} ${opened.dataUpdatedAt}`}
            {...{ owner, opened: opened.data }}
            onTheirs={opened.refetch}
            hasList={types.some(({ uid }) => uid === owner.uid)}
          />
        )
      ) : (
        <p className="empty">{text.chooseLayout}</p>
      )}
    </main>
  )
}

interface LayoutFormProps {
  readonly owner: Owner
  readonly opened: Answer<Layout>
  /** Opens the layout again, as it is stored now. */
  readonly onTheirs: () => unknown
  readonly hasList: boolean
}

/** The layout of a content-type or component while it is changed. */
function useLayout({ owner, opened, onTheirs }: LayoutFormProps) {
  const text = useText()
  const { changeModel } = useSession()
  const [layout, show] = useState(opened.body)
  /** The layout that the person has made last. */
  const made = useRef(layout)
  const [stored, setStored] = useState(layout)
  const [told, tell] = useState('')
  useUnsaved(() => layout !== stored)
  const path = pathOf(owner)
  const known = Object.keys(opened.body.fields).toSorted()
  // Each attribute has its look.
  const isOther = ({ fields }: Layout): boolean => !sameJson(Object.keys(fields).toSorted(), known)
  const version = useVersion(path, opened, onTheirs, isOther)
  const { inTurn, trouble } = version
  const setLayout = (next: Layout): void => {
    made.current = next
    show(next)
  }
  /** @param of Names the action. An action that is requested while another one is under way runs after it. */
  const change = (work: () => Promise<Layout>, of: unknown) => {
    const before = made.current
    return inTurn(async () => {
      tell('')
      const next = await work()
      const withNext = <T extends Owner>(one: T): T =>
        one.uid === owner.uid ? { ...one, layout: next } : one
      // Changes that the person made while the request ran stay in the form.
      if (made.current === before) show(next)
      setStored(next)
      changeModel((model) => ({
        ...model,
        types: model.types.map(withNext),
        components: model.components.map(withNext),
      }))
      tell(text.saved)
    }, of)
  }
  const save = () => change(async () => (await version.save(layout)).body, layout)
  const reset = () =>
    change(async () => {
      await remove(path)
      const answer = await request<Layout>('GET', path)
      version.shows(answer)
      return answer.body
    }, 'reset')
  return { layout, setLayout, told, trouble, save, reset }
}

function LayoutForm(props: LayoutFormProps) {
  const { owner, hasList } = props
  const text = useText()
  const { layout, setLayout, told, trouble, save, reset } = useLayout(props)
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
      <section className="sheet" aria-label={text.formOf}>
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
