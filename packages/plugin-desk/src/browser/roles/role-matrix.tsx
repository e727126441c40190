import { type ContentType, titleOf } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import type { Right } from '../people/give.ts'
import { useText } from '../text/index.ts'
import { type Cell, cellId, contentActions, givenIn, rightsIn, withCell } from './matrix.ts'

interface RoleMatrixProps {
  readonly rights: readonly Right[]
  /** The rights of the person, of which it may give some. */
  readonly own: readonly Right[]
  readonly isLocked: boolean
  /** The cell that the server has refused. */
  readonly wrong: Cell | undefined
  readonly onChange: (rights: readonly Right[]) => void
  readonly onOpen: (cell: Cell) => void
}

/** Content-types by actions. A cell that the person may not give is empty, or says what the role has. */
export function RoleMatrix(props: RoleMatrixProps) {
  const text = useText()
  const { model } = useSession()
  const known = model.types.map(({ uid }) => uid)
  const others = [...new Set(props.rights.flatMap(({ type }) => type ?? []))].filter(
    (uid) => !known.includes(uid),
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the table scrolls on narrow screens, by the arrow keys as well
    <section className="table matrix" tabIndex={0} aria-label={text.rightsOfRole}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.contentOfRole}</th>
            {contentActions.map((action) => (
              <th key={action} scope="col">
                {text.actionNames[action]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {model.types.map((type) => (
            <Row key={type.uid} {...props} uid={type.uid} title={titleOf(type)} type={type} />
          ))}
          {others.map((uid) => (
            <Row key={uid} {...props} uid={uid} title={uid} type={undefined} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps extends RoleMatrixProps {
  readonly uid: string
  readonly title: string
  readonly type: ContentType | undefined
}

function Row({ uid, title, type, rights, own, isLocked, wrong, onChange, onOpen }: RowProps) {
  const text = useText()
  return (
    <tr>
      <th scope="row">
        <span>{title}</span>
      </th>
      {contentActions.map((action) => {
        const cell = { type: uid, action }
        const inside = rightsIn(rights, cell)
        const offered = givenIn(own, cell)
        const name = text.rightName(text.actionNames[action], title)
        const isPossible = type !== undefined && (action !== 'publish' || type.hasDrafts)
        const canChange = !isLocked && isPossible && offered.length > 0
        const isLimited = inside.some(({ fields, locales, where }) => fields ?? locales ?? where)
        const extent = isLimited ? text.limited : text.unlimited
        const isWrong = wrong?.type === uid && wrong.action === action
        if (!canChange && inside.length === 0) return <td key={action} />
        return (
          <td key={action} id={cellId(cell)} className={isWrong ? 'wrong' : undefined}>
            <input
              type="checkbox"
              aria-label={name}
              aria-invalid={isWrong || undefined}
              disabled={!canChange}
              checked={inside.length > 0}
              onChange={({ target }) => onChange(withCell(rights, cell, target.checked ? offered : []))}
            />
            {inside.length > 0 && (
              <button
                type="button"
                className="linked"
                aria-label={`${extent}: ${text.limitsOf(name)}`}
                onClick={() => onOpen(cell)}
              >
                {extent}
              </button>
            )}
          </td>
        )
      })}
    </tr>
  )
}
