import { useState } from 'react'
import type { LibraryFile } from '../media/files.ts'
import { fileUid } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { Arriving } from '../page-parts/contained.tsx'
import { pageOf, Shown } from '../page-parts/page.tsx'
import { Trouble } from '../page-parts/trouble.tsx'
import { joined, useText } from '../text/index.ts'
import { isPicture } from './use-text-editor.ts'

const filePicker = pageOf(() => import('../media/file-picker.tsx'))

/**
 * The pictures that a text takes: chosen from the library, pasted or dropped.
 *
 * @param value The text. A change of it ends the sentence about files that it did not take.
 */
export function usePictures(value: unknown) {
  const text = useText()
  const { me } = useSession()
  const mayPick = may(me, fileUid, 'read')
  /** The files with which the library is open; `undefined` while it is not. */
  const [picking, pick] = useState<readonly File[]>()
  const [problem, tell] = useState({ words: '', value })
  const take = (files: readonly File[]): void => {
    const [given, others] = [files.filter(isPicture), files.filter((file) => !isPicture(file))]
    const isRefused = given.length > 0 && !(mayPick && may(me, fileUid, 'create'))
    const names = joined(
      others.map(({ name }) => name),
      text,
    )
    const words = [others.length > 0 && text.noPicture(names), isRefused && text.noUpload]
    tell({ words: words.filter(Boolean).join(' '), value })
    if (given.length > 0 && !isRefused) pick(given)
  }
  const isTold = problem.words !== '' && problem.value === value
  return {
    picking,
    take,
    /** Opens the library. `undefined` where the person may not choose files. */
    open: mayPick ? () => pick([]) : undefined,
    close: () => pick(undefined),
    /** The sentence about files that were not taken. */
    trouble: isTold && <Trouble>{problem.words}</Trouble>,
  }
}

interface PicturePickerProps {
  /** Files that are uploaded when the library opens. */
  readonly given: readonly File[]
  readonly onPick: (file: LibraryFile) => void
  readonly onClose: () => void
}

const pictures = ['images'] as const

/** The pictures of the library over the page, to choose one for a text. */
export function PicturePicker({ given, onPick, onClose }: PicturePickerProps) {
  const text = useText()
  return (
    <Arriving name={text.library}>
      <Shown
        page={filePicker}
        props={{
          kinds: pictures,
          many: false,
          given,
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
