import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { ContentType } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { useFocusBack } from '../page-parts/focus-back.ts'
import { isPressed } from '../page-parts/pressed.ts'
import { SureButton } from '../page-parts/sure-button.tsx'
import { useAttempt } from '../page-parts/trouble.tsx'
import { remove as removeAt, request } from '../requests/api.ts'
import { useCreation } from '../requests/creation.ts'
import { useText } from '../text/index.ts'
import { type ListState, searchOf, stateOf } from './list-query.ts'

/** A saved view, as `GET /desk/api/views` has it. */
interface View {
  readonly id: number
  readonly name: string
  /** The address of the list after its question mark. */
  readonly query: string
  readonly shared: boolean
  readonly mine: boolean
}

interface ViewsProps {
  readonly type: ContentType
  readonly state: ListState
  /** Shows the list of an address. @param query Without a question mark. */
  readonly onShow: (query: string) => void
}

const firstPage = { after: undefined, before: undefined, from: 0 } as const

/** The saved views of a content-type. */
export const useViews = (type: ContentType) =>
  useQuery<readonly View[]>({
    queryKey: ['views', type.uid],
    queryFn: ({ signal }) =>
      request<readonly View[]>('GET', 'views', { query: { type: type.uid }, signal }).then(
        ({ body }) => body,
      ),
  })

/** The tabs above a list: those of the desk, and the saved views of the person and of all. */
export function Views({ type, state, onShow }: ViewsProps) {
  const text = useText()
  const { me } = useSession()
  const views = useViews(type)
  const saved = views.data ?? []
  const here = searchOf({ ...state, ...firstPage })
  const usual = ['all', 'mine', ...(type.hasDrafts ? ['drafts', 'published'] : [])] as ListState['view'][]
  const labels = { all: text.all, mine: text.mine, drafts: text.drafts, published: text.published }
  const present = saved.find(({ query }) => searchOf(stateOf(query)) === here)
  const isPlain = here === searchOf(stateOf(`view=${state.view}`))
  const mayChange = present !== undefined && (present.shared ? me.may.layouts === true : present.mine)
  const place = useRef<HTMLDivElement>(null)
  /** Whether the control with the focus is about to go, since what it does is done. */
  const isDone = useRef(false)
  const done = () => {
    isDone.current = true
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once another view is shown, or none
  useEffect(() => {
    if (isDone.current && document.activeElement === document.body)
      place.current
        ?.querySelector<HTMLElement>(present ? '[aria-pressed=true]' : ':scope > button:last-of-type')
        ?.focus()
    isDone.current = false
  }, [present?.id])
  const tab = (key: string, label: string, isPressed: boolean, query: string) => (
    <button key={key} type="button" aria-pressed={isPressed} onClick={() => onShow(query)}>
      {label}
    </button>
  )
  return (
    <div ref={place} className="views">
      {usual.map((view) =>
        tab(view, labels[view], !present && state.view === view, searchOf({ ...state, ...firstPage, view })),
      )}
      {saved.map((view) => tab(String(view.id), view.name, view === present, view.query))}
      {present
        ? mayChange && <RemoveView type={type} view={present} onDone={done} />
        : !isPlain && views.data && <SaveView type={type} query={here} onDone={done} />}
    </div>
  )
}

interface ToolProps {
  readonly type: ContentType
  /** Called before the list of views is drawn anew. */
  readonly onDone: () => void
}

function RemoveView({ type, view, onDone }: ToolProps & { readonly view: View }) {
  const text = useText()
  const client = useQueryClient()
  const { attempt, trouble } = useAttempt()
  const remove = () =>
    attempt(async () => {
      await removeAt(`views/${view.id}`)
      onDone()
      await client.invalidateQueries({ queryKey: ['views', type.uid] })
    })
  return (
    <span className="view-end">
      <SureButton label={text.removeView} onSure={remove} />
      {trouble}
    </span>
  )
}

/** Saves what the list shows as a tab. */
function SaveView({ type, query, onDone }: ToolProps & { readonly query: string }) {
  const text = useText()
  const { me } = useSession()
  const client = useQueryClient()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const { attempt, trouble } = useAttempt()
  const create = useCreation<View>({
    queryKey: ['views', type.uid],
    path: `views?type=${type.uid}`,
    items: (all) => all,
  })
  const buttonOf = useFocusBack(isOpen ? 'save' : undefined)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])
  const save = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      const body = { type: type.uid, name: name.trim(), query, shared }
      await create({
        body,
        make: () => request('POST', 'views', { body }),
        isIt: (view) =>
          view.mine && view.name === body.name && view.query === query && view.shared === shared,
        found: async () => undefined,
      })
      onDone()
      await client.invalidateQueries({ queryKey: ['views', type.uid] })
    })
  }
  if (!isOpen)
    return (
      <button ref={buttonOf('save')} type="button" onClick={() => setOpen(true)}>
        <span aria-hidden="true">+ </span>
        {text.saveView}
      </button>
    )
  return (
    <form
      className="new-view"
      onSubmit={save}
      onKeyDown={(event) => {
        if (isPressed(event, 'Escape')) setOpen(false)
      }}
    >
      <label htmlFor={id}>{text.viewName}</label>
      <input
        className="in"
        id={id}
        ref={field}
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {me.may.layouts === true && (
        <label>
          <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
          {text.viewForAll}
        </label>
      )}
      <button className="button small" type="submit">
        {text.saveViewNow}
      </button>
      {trouble}
    </form>
  )
}
