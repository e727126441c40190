import { useState } from 'react'
import { Asked } from '../page-parts/asked.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { useAttempt } from '../page-parts/trouble.tsx'
import { useText } from '../text/index.ts'
import { FolderTree } from './folder-tree.tsx'
import { useFolders } from './folders.ts'

interface MoveDialogProps {
  readonly title: string
  /** A folder that cannot be the place, as it is what moves. */
  readonly without?: number | undefined
  readonly onMove: (to: number | null) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks for the folder that something goes to. */
export function MoveDialog({ title, without, onMove, onClose }: MoveDialogProps) {
  const text = useText()
  const { folders, asking } = useFolders()
  const [to, setTo] = useState<number | null>(null)
  const { attempt, trouble } = useAttempt()
  const move = () =>
    attempt(async () => {
      await onMove(to)
      onClose()
    })
  return (
    <Dialog title={title} onClose={onClose}>
      {trouble}
      <Asked of={{ [text.folders]: asking }} />
      <FolderTree folders={folders} chosen={to} onChoose={setTo} without={without} />
      <div className="row dialog-foot">
        <button type="button" className="button main" onClick={move}>
          {text.moveTo(folders.find(to)?.name ?? text.allFiles)}
        </button>
      </div>
    </Dialog>
  )
}
