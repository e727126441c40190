import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { type ContentType, nounOf, titleOf } from '../model/model.ts'
import { readableLocales } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { addressOfNew } from '../open-entry/begin.ts'
import { Asked } from '../page-parts/asked.tsx'
import { Bar } from '../page-parts/bar.tsx'
import { keepList } from '../page-parts/left-lists.ts'
import { PopUp } from '../page-parts/pop-up.tsx'
import { useText } from '../text/index.ts'
import { useEmptied } from './emptied.ts'
import { Filters } from './filters.tsx'
import { ListFoot } from './list-foot.tsx'
import { type Column, type ListState, localeOf, searchOf, stateOf } from './list-query.ts'
import { listRequest } from './list-request.ts'
import { columnTitle, Table } from './table.tsx'
import { useBulk } from './use-bulk.ts'
import { useColumns } from './use-columns.ts'
import { useViews, Views } from './views.tsx'

/** Names the page, and keeps its search for the way back from an entry. */
function usePlace(type: ContentType, search: string): void {
  const title = titleOf(type)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => keepList(type.route, search), [type.route, search])
}

/** The list of the entries of a content-type. */
export function ListPage({ type }: { type: ContentType }) {
  const text = useText()
  const session = useSession()
  const { me } = session
  const [, go] = useLocation()
  // The hook decodes what it returns; filters are read from the address itself.
  useSearch()
  const state = stateOf(location.search)
  const title = titleOf(type)
  const noun = nounOf(type)
  const ofNew = addressOfNew(type, session, localeOf(state, type, session))
  const { names, readable, columns, choose } = useColumns(type, me)
  const list = useQuery(listRequest(type, session, columns, state))
  const views = useViews(type)
  const { data, isPlaceholderData } = list
  const bulk = useBulk(type)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  usePlace(type, searchOf(state))

  /** Shows another part of the list; the first page, unless the change is the page. */
  const show = (change: Partial<ListState>) => {
    setSelected(new Set())
    const next = { ...state, after: undefined, before: undefined, from: 0, ...change }
    go(`/content/${type.route}?${searchOf(next)}`, { replace: change.search !== undefined })
  }
  const rows = (data?.data ?? []).filter(({ id }) => !bulk.hidden.has(id))
  // After a step in the history, for example, the page has other entries than those that were marked.
  const marked = rows.filter(({ id }) => selected.has(id))
  const isEmptied = useEmptied(
    isPlaceholderData ? undefined : data,
    list.error,
    state,
    type.layout.list.pageSize,
    (page) => go(`/content/${type.route}?${searchOf({ ...state, ...page })}`, { replace: true }),
  )
  return (
    <div className="room">
      <Bar>
        <span className="grow" />
        <ColumnChoice type={type} columns={readable} chosen={names} onChoose={choose} />
        {ofNew !== undefined && (
          <Link className="button main" href={ofNew}>
            {text.create(noun)}
          </Link>
        )}
      </Bar>
      <main id="main" className="page" tabIndex={-1}>
        <div className="head">
          <h1>{title}</h1>
          {data?.meta.pagination.total !== undefined && (
            <span className="count">{text.entries(data.meta.pagination.total)}</span>
          )}
        </div>
        <Views
          {...{ type, state }}
          onShow={(search) => {
            setSelected(new Set())
            go(`/content/${type.route}?${search}`)
          }}
        />
        <Narrowing {...{ type, state, title }} onShow={show} />
        <Asked of={{ [title]: list, ...(views.error && { [text.savedViews]: views }) }} />
        {data?.data.length === 0 && !isEmptied && (
          <NoEntries {...{ state, title }} create={ofNew === undefined ? '' : text.create(noun)} />
        )}
        {rows.length > 0 && (
          <Table
            {...{ type, columns, rows, state, selected }}
            isOld={isPlaceholderData}
            onSort={(sort) => show({ sort })}
            onSelect={setSelected}
          />
        )}
        {data && (
          <ListFoot
            {...{ type, bulk, marked, state, isOld: isPlaceholderData }}
            pagination={data.meta.pagination}
            count={rows.length}
            onPage={show}
            onDone={(failed) => setSelected(new Set(failed))}
          />
        )}
      </main>
    </div>
  )
}

interface NoEntriesProps extends Pick<NarrowingProps, 'state' | 'title'> {
  /** The words of the button that makes an entry; empty without one. */
  readonly create: string
}

/** Shows that the server has no entry for the list. It is not for a list whose entries are all about to be deleted, because these can come back. */
function NoEntries({ state, title, create }: NoEntriesProps) {
  const text = useText()
  const isFiltered = state.search !== '' || state.filters !== undefined || state.view !== 'all'
  return <p className="empty">{isFiltered ? text.noneFound : text.empty(title, create)}</p>
}

interface NarrowingProps {
  readonly type: ContentType
  readonly state: ListState
  readonly title: string
  readonly onShow: (change: Partial<ListState>) => void
}

/** The search, the language, and the filters. */
function Narrowing({ type, state, title, onShow }: NarrowingProps) {
  const text = useText()
  const session = useSession()
  const locales = readableLocales(type, session)
  const { list } = type.layout
  return (
    <div className="filters">
      {list.search && (
        <Search label={text.search(title)} value={state.search} onSearch={(search) => onShow({ search })} />
      )}
      {type.isLocalized && locales.length > 1 && (
        <select
          className="in narrow"
          aria-label={text.languageOfList}
          value={localeOf(state, type, session)}
          onChange={(event) => onShow({ locale: event.target.value })}
        >
          {locales.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      )}
      {list.filters && (
        <Filters filters={state.filters} type={type} onChange={(filters) => onShow({ filters })} />
      )}
    </div>
  )
}

/** Searches a moment after the last letter. Where the list is that of another address meanwhile, it has the search of that one. */
function Search({
  label,
  value,
  onSearch,
}: {
  label: string
  value: string
  onSearch: (text: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const timer = useRef(0)
  const asked = useRef(value)
  const latest = useRef(onSearch)
  latest.current = onSearch
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    clearTimeout(timer.current)
    setTyped(value)
  }, [value])
  return (
    <input
      className="in search"
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        clearTimeout(timer.current)
        timer.current = window.setTimeout(() => {
          asked.current = target.value.trim()
          latest.current(asked.current)
        }, 250)
      }}
    />
  )
}

interface ColumnChoiceProps {
  readonly type: ContentType
  readonly columns: readonly Column[]
  readonly chosen: readonly string[]
  readonly onChoose: (names: readonly string[]) => void
}

function ColumnChoice({ type, columns, chosen, onChoose }: ColumnChoiceProps) {
  const text = useText()
  return (
    <PopUp label={text.columns}>
      {() =>
        columns.map((column) => (
          <label key={column.name}>
            <input
              type="checkbox"
              checked={chosen.includes(column.name)}
              onChange={({ target }) =>
                onChoose(
                  target.checked ? [...chosen, column.name] : chosen.filter((name) => name !== column.name),
                )
              }
            />
            {columnTitle(type, column, text)}
          </label>
        ))
      }
    </PopUp>
  )
}
