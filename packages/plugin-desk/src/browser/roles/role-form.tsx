import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { type Answer, ApiError, remove as removeAt, request } from '../api.ts'
import { FormFoot } from '../desk-parts.tsx'
import { titleOf } from '../model.ts'
import { mayGive, type Right, type Role } from '../people/give.ts'
import { useSession } from '../session.tsx'
import { TextField } from '../settings/setting.tsx'
import { useText } from '../text/index.ts'
import { useUnsaved } from '../unsaved.ts'
import { useVersion } from '../version.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { type Cell, cellId, generalActions, notOwn, rightsIn, withCell } from './matrix.ts'
import { RoleMatrix } from './role-matrix.tsx'

interface RoleFormProps {
  /** `undefined`: a new one. */
  readonly opened: Answer<Role> | undefined
  /** Opens the role again, as it is stored now. */
  readonly onTheirs: () => unknown
  /** The rights of the person. */
  readonly own: readonly Right[]
  readonly onSaved: (id: number | undefined) => void
}

/** The cell of the right that a refusal is about; `undefined` when it is about another part. */
function refusedCell(error: unknown, rights: readonly Right[], own: readonly Right[]): Cell | undefined {
  if (!(error instanceof ApiError)) return undefined
  const place = error.mistakes.find(({ path }) => path[0] === 'rights')?.path[1]
  const right =
    place !== undefined
      ? rights[Number(place)]
      : error.code === 'desk/more-than-own'
        ? notOwn(own, rights)
        : undefined
  return right?.type === undefined ? undefined : { type: right.type, action: right.action }
}

/** A role while it is changed. */
function useRole({ opened, onTheirs, own, onSaved }: RoleFormProps) {
  const text = useText()
  const client = useQueryClient()
  const role = opened?.body
  const [rights, setRights] = useState<readonly Right[]>(role?.rights ?? [])
  const [stored, setStored] = useState(rights)
  const [wrong, setWrong] = useState<Cell | undefined>()
  const version = useVersion(`roles/${role?.id}`, opened, onTheirs)
  const { attempt, trouble } = version
  const [told, tell] = useState('')
  useUnsaved(() => rights !== stored)
  useEffect(() => {
    if (wrong) document.getElementById(cellId(wrong))?.querySelector<HTMLElement>('button, input')?.focus()
  }, [wrong])
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const body = { name: String(given.get('name')), description: String(given.get('description')), rights }
    void attempt(async () => {
      tell('')
      setWrong(undefined)
      const sent = role ? version.save(body) : request<Role>('POST', 'roles', { body })
      const answer = await sent.catch((error: unknown) => {
        setWrong(refusedCell(error, rights, own))
        throw error
      })
      await client.invalidateQueries({ queryKey: ['roles'] })
      setStored(rights)
      tell(text.saved)
      onSaved(answer.body.id)
    })
  }
  return { rights, setRights, wrong, attempt, trouble, told, save }
}

/** A role: its name, and its rights as a matrix, which are saved together. */
export function RoleForm(props: RoleFormProps) {
  const { opened, own, onSaved } = props
  const role = opened?.body
  const text = useText()
  const { rights, setRights, wrong, attempt, trouble, told, save } = useRole(props)
  const [limited, open] = useState<Cell | undefined>()
  const isLocked = role !== undefined && !mayGive(own, role)
  const shared = { rights, own, isLocked, onChange: setRights }
  return (
    <>
      <form className="role" onSubmit={save}>
        {isLocked && <p className="note info">{text.roleIsMore}</p>}
        {trouble}
        <fieldset className="row role-names" disabled={isLocked}>
          <TextField label={text.roleName} name="name" value={role?.name ?? ''} />
          <TextField
            label={text.roleDescription}
            name="description"
            value={role?.description ?? ''}
            required={false}
          />
        </fieldset>
        <GeneralRights {...shared} />
        <RoleMatrix {...shared} wrong={wrong} onOpen={open} />
        {!isLocked && (
          <FormFoot save={text.saveRole} told={told}>
            {role && <RemoveRole {...{ role, attempt }} onDone={() => onSaved(undefined)} />}
          </FormFoot>
        )}
      </form>
      {limited && <CellLimits {...shared} cell={limited} onClose={() => open(undefined)} />}
    </>
  )
}

interface RightsProps {
  readonly rights: readonly Right[]
  readonly own: readonly Right[]
  readonly isLocked: boolean
  readonly onChange: (rights: readonly Right[]) => void
}

/** The rights without a content-type: those that the person may give, and those that the role has. */
function GeneralRights({ rights, own, isLocked, onChange }: RightsProps) {
  const text = useText()
  const has = (action: string) => rights.some((right) => right.action === action)
  const shown = generalActions.filter((action) => has(action) || !notOwn(own, [{ action }]))
  return (
    <fieldset className="names" disabled={isLocked}>
      <legend>{text.generalRights}</legend>
      {shown.map((action) => (
        <label key={action}>
          <input
            type="checkbox"
            checked={has(action)}
            onChange={({ target }) =>
              onChange(
                target.checked ? [...rights, { action }] : rights.filter((right) => right.action !== action),
              )
            }
          />
          {text.generalNames[action]}
        </label>
      ))}
    </fieldset>
  )
}

function CellLimits({
  cell,
  rights,
  own,
  isLocked,
  onChange,
  onClose,
}: RightsProps & { cell: Cell; onClose: () => void }) {
  const text = useText()
  const { model } = useSession()
  const type = model.types.find(({ uid }) => uid === cell.type)
  const action = text.actionNames[cell.action as keyof typeof text.actionNames]
  return (
    <LimitsDialog
      title={text.rightName(action, type ? titleOf(type) : cell.type)}
      {...{ cell, own, isLocked, onClose }}
      rights={rightsIn(rights, cell)}
      onChange={(inside) => onChange(withCell(rights, cell, inside))}
    />
  )
}

interface RemoveRoleProps {
  readonly role: Role
  /** Runs a request, and shows why it was refused. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<unknown>
  readonly onDone: () => void
}

/** Deletes a role that nobody has, by a second click, as it does not come back. */
function RemoveRole({ role, attempt, onDone }: RemoveRoleProps) {
  const text = useText()
  const client = useQueryClient()
  const [isSure, setSure] = useState(false)
  const remove = () => {
    setSure(!isSure)
    if (!isSure) return
    void attempt(async () => {
      await removeAt(`roles/${role.id}`)
      onDone()
      await client.invalidateQueries({ queryKey: ['roles'] })
    })
  }
  return (
    <button type="button" className="button quiet danger" onClick={remove}>
      {isSure ? text.deleteForGood : text.removeRole}
    </button>
  )
}
