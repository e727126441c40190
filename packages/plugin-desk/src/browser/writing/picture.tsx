import { lazy, Suspense } from 'react'
import type { LibraryFile } from '../media/files.ts'
import { fileUid } from '../model.ts'
import { may } from '../rights.ts'
import { useSession } from '../session.tsx'

const FilePicker = lazy(() => import('../media/file-picker.tsx'))

/** Whether the person may choose pictures of the library. */
export const useMayPick = (): boolean => may(useSession().me, fileUid, 'read')

interface PicturePickerProps {
  readonly onPick: (file: LibraryFile) => void
  readonly onClose: () => void
}

const pictures = ['images'] as const

/** The pictures of the library over the page, to choose one for a text. */
export function PicturePicker({ onPick, onClose }: PicturePickerProps) {
  return (
    <Suspense fallback={null}>
      <FilePicker
        kinds={pictures}
        many={false}
        onClose={onClose}
        onPick={([file]) => {
          if (file) onPick(file)
        }}
      />
    </Suspense>
  )
}

/** The address of a file for those who read the text elsewhere. */
export const addressOf = ({ url }: LibraryFile): string => new URL(url, location.origin).href
