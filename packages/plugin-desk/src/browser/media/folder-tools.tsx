import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { withinFolder } from '../../library-query.ts'
import { fileUid } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { useFocusBack } from '../page-parts/focus-back.ts'
import { useHere, useOpening } from '../page-parts/opening.ts'
import { isPressed } from '../page-parts/pressed.ts'
import { useAttempt } from '../page-parts/trouble.tsx'
import { filesChanged } from '../requests/changes.ts'
import { useText } from '../text/index.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { deleteFolder, type Folder, type Folders, moveInto, renameFolder, useNewFolder } from './folders.ts'
import { MoveDialog } from './move-dialog.tsx'

type Tool = 'create' | 'rename' | 'move' | 'delete'

interface FolderToolsProps {
  readonly folders: Folders
  /** The folder that is shown; `null`: the place outside of all. */
  readonly folder: number | null
  readonly onFolder: (id: number | null) => void
}

/** The buttons that change the folder on the page: those that the person's rights allow. */
export function FolderTools({ folders, folder, onFolder }: FolderToolsProps) {
  const text = useText()
  const { me } = useSession()
  const client = useQueryClient()
  const [opened, open, close] = useOpening<{ readonly tool: Tool; readonly at: number | null }>()
  // A new folder is made where the person goes meanwhile; what was begun for one folder ends there.
  if (opened && opened.tool !== 'create' && opened.at !== folder) close()
  const tool = opened?.tool
  const begin = useHere(folder)
  const create = useNewFolder()
  const buttonOf = useFocusBack(tool)
  const here = folders.find(folder)
  const changed = async () => {
    await client.invalidateQueries({ queryKey: ['folders'] })
    await filesChanged(client)
  }
  const allowed: Readonly<Record<Tool, boolean>> = {
    create: may(me, fileUid, 'create'),
    rename: here !== undefined && may(me, fileUid, 'update'),
    move: here !== undefined && may(me, fileUid, 'update'),
    delete: here !== undefined && may(me, fileUid, 'delete'),
  }
  const labels: Readonly<Record<Tool, string>> = {
    create: text.newFolder,
    rename: text.renameFolder,
    move: text.moveFolder,
    delete: text.deleteFolder,
  }
  const tools = (['create', 'rename', 'move', 'delete'] as const).filter((one) => allowed[one])
  if (tool === 'create' || tool === 'rename')
    return (
      <FolderForm
        key={tool}
        label={tool === 'create' ? text.folderName : text.renameFolder}
        name={tool === 'rename' ? (here?.name ?? '') : ''}
        onClose={close}
        onSave={async (name) => {
          const isHere = begin()
          if (tool === 'rename' && here) await renameFolder(here.id, name)
          const made = tool === 'create' ? await create(name, folder) : undefined
          await changed()
          if (made && isHere()) onFolder(made.id)
        }}
      />
    )
  return (
    <div className="row">
      {tools.map((one) => (
        <button
          key={one}
          ref={buttonOf(one)}
          type="button"
          className={one === 'delete' ? 'button quiet small danger' : 'button quiet small'}
          onClick={() => open({ tool: one, at: folder })}
        >
          {labels[one]}
        </button>
      ))}
      {here && (
        <FolderDialog {...{ tool, here, onFolder, changed }} path={folders.pathOf(folder)} onClose={close} />
      )}
    </div>
  )
}

interface FolderDialogProps {
  readonly tool: Tool | undefined
  readonly here: Folder
  readonly path: string
  readonly onFolder: (id: number | null) => void
  readonly changed: () => Promise<void>
  readonly onClose: () => void
}

function FolderDialog({ tool, here, path, onFolder, changed, onClose }: FolderDialogProps) {
  const text = useText()
  const begin = useHere(here.id)
  if (tool === 'move')
    return (
      <MoveDialog
        title={text.moveTitle(here.name)}
        without={here.id}
        onClose={onClose}
        onMove={async (to) => {
          await moveInto({ folders: [here.id] }, to)
          await changed()
        }}
      />
    )
  if (tool === 'delete')
    return (
      <DeleteDialog
        title={text.deleteTitle(here.name)}
        filters={withinFolder(path) ?? {}}
        onClose={onClose}
        onDelete={async () => {
          const isHere = begin()
          await deleteFolder(here.id)
          if (isHere()) onFolder(here.parent)
          await changed()
        }}
      />
    )
  return null
}

interface FolderFormProps {
  readonly label: string
  readonly name: string
  readonly onSave: (name: string) => Promise<void>
  readonly onClose: () => void
}

function FolderForm({ label, name: given, onSave, onClose }: FolderFormProps) {
  const text = useText()
  const id = useId()
  const [name, setName] = useState(given)
  const { attempt, trouble } = useAttempt()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      await onSave(name.trim())
      onClose()
    })
  }
  return (
    <form
      className="new-view"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (!isPressed(event, 'Escape')) return
        // A dialog around the library stays open.
        event.preventDefault()
        onClose()
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        ref={field}
        className="in"
        id={id}
        required
        maxLength={255}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className="button small">
        {text.save}
      </button>
      <button type="button" className="button quiet small" onClick={onClose}>
        {text.cancel}
      </button>
      {trouble}
    </form>
  )
}
