import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { sameJson } from '../../form/index.ts'
import { titleOf } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { FormFoot } from '../page-parts/desk-parts.tsx'
import { useHere } from '../page-parts/opening.ts'
import { SureButton } from '../page-parts/sure-button.tsx'
import { useUnsaved } from '../page-parts/unsaved.ts'
import { useVersion } from '../page-parts/version.tsx'
import { mayGive, type Right, type Role } from '../people/give.ts'
import { type Answer, ApiError, remove as removeAt, request } from '../requests/api.ts'
import { useCreation } from '../requests/creation.ts'
import { TextField } from '../settings/setting.tsx'
import { useText } from '../text/index.ts'
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
  /** Called once a new role is stored, with its version. */
  readonly onMade: (made: Answer<Role>) => void
  readonly onRemoved: () => void
}

/** The texts of a role, as its form has them. */
const textsIn = (form: HTMLFormElement) => {
  const given = new FormData(form)
  return { name: String(given.get('name')), description: String(given.get('description')) }
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

/** Makes a role. @returns a function for its values */
function useMaking() {
  const create = useCreation<Role>({ queryKey: ['roles'], path: 'roles', items: (all) => all })
  return (body: Pick<Role, 'name' | 'rights'>): Promise<Answer<Role>> =>
    create({
      body,
      make: () => request<Role>('POST', 'roles', { body }),
      isIt: ({ name, rights }) => name === body.name.trim() && sameJson(rights, body.rights),
      found: ({ id }) => request<Role>('GET', `roles/${id}`),
    })
}

/** A role while it is changed. */
function useRole({ opened, onTheirs, own, onMade }: RoleFormProps) {
  const text = useText()
  const client = useQueryClient()
  const role = opened?.body
  const [rights, setRights] = useState<readonly Right[]>(role?.rights ?? [])
  const form = useRef<HTMLFormElement>(null)
  const [stored, setStored] = useState({
    rights,
    name: role?.name ?? '',
    description: role?.description ?? '',
  })
  const begin = useHere()
  const make = useMaking()
  const [wrong, setWrong] = useState<Cell | undefined>()
  const version = useVersion(`roles/${role?.id}`, opened, onTheirs)
  const { inTurn, trouble } = version
  const [told, tell] = useState('')
  useUnsaved(() => {
    const { current } = form
    // A form that only shows a role gives no texts.
    const written = current && !current.querySelector('fieldset:disabled') ? textsIn(current) : stored
    return (
      rights !== stored.rights || written.name !== stored.name || written.description !== stored.description
    )
  })
  useEffect(() => {
    if (wrong) document.getElementById(cellId(wrong))?.querySelector<HTMLElement>('button, input')?.focus()
  }, [wrong])
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = { ...textsIn(event.currentTarget), rights }
    const isHere = begin()
    const work = async () => {
      tell('')
      setWrong(undefined)
      const sent = role ? version.save(body) : make(body)
      const answer = await sent.catch((error: unknown) => {
        setWrong(refusedCell(error, rights, own))
        throw error
      })
      await client.invalidateQueries({ queryKey: ['roles'] })
      setStored(body)
      tell(text.saved)
      if (role) return
      version.shows(answer)
      // The person may have gone on to another page, or another role.
      if (isHere()) onMade(answer)
    }
    // Changes that are made during a save are saved by the next save, which follows it. A new role is created only once.
    void inTurn(work, role ? JSON.stringify(body) : 'make')
  }
  return { form, rights, setRights, wrong, inTurn, trouble, told, save }
}

/** A role: its name, and its rights as a matrix, which are saved together. */
export function RoleForm(props: RoleFormProps) {
  const { opened, own, onRemoved } = props
  const role = opened?.body
  const text = useText()
  const { form, rights, setRights, wrong, inTurn, trouble, told, save } = useRole(props)
  const [limited, open] = useState<Cell | undefined>()
  const isLocked = role !== undefined && !mayGive(own, role)
  const shared = { rights, own, isLocked, onChange: setRights }
  return (
    <>
      <form ref={form} className="role" onSubmit={save}>
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
            {role && <RemoveRole {...{ role, inTurn }} onDone={onRemoved} />}
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
  /** Runs a request after those that are under way, and shows why it was refused. */
  readonly inTurn: (work: () => Promise<unknown>, of: unknown) => Promise<unknown>
  readonly onDone: () => void
}

/** Deletes a role that nobody has, by a second click, as it does not come back. */
function RemoveRole({ role, inTurn, onDone }: RemoveRoleProps) {
  const text = useText()
  const client = useQueryClient()
  const begin = useHere()
  const remove = () => {
    const isHere = begin()
    void inTurn(async () => {
      await removeAt(`roles/${role.id}`)
      if (isHere()) onDone()
      await client.invalidateQueries({ queryKey: ['roles'] })
    }, 'remove')
  }
  return <SureButton label={text.removeRole} onSure={remove} />
}
