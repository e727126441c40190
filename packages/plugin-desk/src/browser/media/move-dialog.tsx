import { useState } from 'react'
import { Asked } from '../asked.tsx'
import { reasonOf } from '../sign-in.tsx'
import { useText } from '../text/index.ts'
import { Dialog } from './dialog.tsx'
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
  const [problem, setProblem] = useState('')
  const move = async () => {
    try {
      await onMove(to)
      onClose()
    } catch (error) {
      setProblem(reasonOf(error, text))
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {problem !== '' && (
        <p className="note wrong" role="alert">
          {problem}
        </p>
      )}
      <Asked of={[asking]} />
      <FolderTree folders={folders} chosen={to} onChoose={setTo} without={without} />
      <div className="row dialog-foot">
        <button type="button" className="button main" onClick={move}>
          {text.moveTo(folders.find(to)?.name ?? text.allFiles)}
        </button>
      </div>
    </Dialog>
  )
}
