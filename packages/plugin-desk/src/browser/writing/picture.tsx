import type { LibraryFile } from '../media/files.ts'
import { fileUid } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { Arriving } from '../page-parts/contained.tsx'
import { pageOf, Shown } from '../page-parts/page.tsx'
import { useText } from '../text/index.ts'

const filePicker = pageOf(() => import('../media/file-picker.tsx'))

/** Whether the person may choose pictures of the library. */
export const useMayPick = (): boolean => may(useSession().me, fileUid, 'read')

interface PicturePickerProps {
  /** Files that are uploaded when the library opens. */
  readonly pasted: readonly File[]
  readonly onPick: (file: LibraryFile) => void
  readonly onClose: () => void
}

const pictures = ['images'] as const

/** The pictures of the library over the page, to choose one for a text. */
export function PicturePicker({ pasted, onPick, onClose }: PicturePickerProps) {
  const text = useText()
  return (
    <Arriving name={text.library}>
      <Shown
        page={filePicker}
        props={{
          kinds: pictures,
          many: false,
          given: pasted,
          onClose,
          onPick: ([file]) => {
            if (file) onPick(file)
          },
        }}
      />
    </Arriving>
  )
}

/** The address of a file for those who read the text elsewhere. */
export const addressOf = ({ url }: LibraryFile): string => new URL(url, location.origin).href
