import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { sameJson } from '../../form/index.ts'
import { fileUid } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { Asked } from '../page-parts/asked.tsx'
import { SubmitRow } from '../page-parts/desk-parts.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { Refused } from '../page-parts/trouble.tsx'
import { useChanges } from '../page-parts/version.tsx'
import { filesChanged } from '../requests/changes.ts'
import { dayOf, useText } from '../text/index.ts'
import { isShown } from '../values/pictures.ts'
import { DeleteDialog, UseLinks } from './delete-dialog.tsx'
import {
  deleteFile,
  describeFile,
  type FileInfo,
  type FocalPoint,
  fresh,
  kindOf,
  type LibraryFile,
  replaceFile,
} from './files.ts'
import { FocalPicture } from './focal-picture.tsx'
import { FileButton } from './upload-list.tsx'
import { type UsedFile, usesOf } from './usage.ts'

/** The texts of a file, as its form names them. */
const textNames = ['name', 'alternativeText', 'caption'] as const

function textsIn(form: HTMLFormElement): Readonly<Record<string, string>> {
  const given = new FormData(form)
  return Object.fromEntries(textNames.map((name) => [name, String(given.get(name))]))
}

/** A file with its texts, its uses, and what can be done with it. */
export function FileDialog({ file: given, onClose }: { file: LibraryFile; onClose: () => void }) {
  const text = useText()
  const { me, model } = useSession()
  const client = useQueryClient()
  const [{ file, turn }, show] = useState({ file: given, turn: 0 })
  const [point, setPoint] = useState<FocalPoint | null>(given.focalPoint ?? null)
  const onTheirs = (theirs: LibraryFile) => {
    show({ file: theirs, turn: turn + 1 })
    setPoint(theirs.focalPoint ?? null)
  }
  const { inTurn, trouble, save } = useChanges<LibraryFile>(`files/${given.id}`, file, onTheirs, (values) =>
    describeFile(given.id, values as FileInfo),
  )
  const [told, tell] = useState('')
  const [isDeleting, setDeleting] = useState(false)
  const canChange = may(me, fileUid, 'update')
  const hasPoint = model.types.some(({ uid, attributes }) => uid === fileUid && attributes.focalPoint)
  const isMoved = hasPoint && !sameJson(point, file.focalPoint ?? null)
  /**
   * @param of Names the action.
   * @param done Called once the library has the file as it is now: it may be opened again at once.
   */
  const change = <T,>(of: string, work: () => Promise<T>, done: (result: T) => void) =>
    inTurn(async () => {
      tell('')
      const result = await work()
      await filesChanged(client)
      done(result)
    }, of)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const texts = textsIn(event.currentTarget)
    void change('texts', () => save({ ...texts, ...(isMoved && { focalPoint: point }) }), onClose)
  }
  const replace = ([other]: readonly File[]) => {
    if (!other) return
    void change(
      'replace',
      async () => {
        // A field that has the file may take files of its kind only.
        if (kindOf(other.type) !== kindOf(file.mime)) throw new Refused((text) => text.otherKind)
        return replaceFile(file.id, other)
      },
      (replaced) => {
        // The form goes on with the texts that it was drawn with: a change of somebody else is found when it is saved.
        const { name, alternativeText, caption, focalPoint = null } = file
        show({ file: { ...replaced, name, alternativeText, caption, focalPoint }, turn })
        tell(text.replaced)
      },
    )
  }
  return (
    <Dialog title={file.name} isWide isLost={() => isMoved} onClose={onClose}>
      {trouble}
      <p role="status" className={told === '' ? 'hidden' : 'note info'}>
        {told}
      </p>
      <form className="file" onSubmit={submit}>
        <FilePreview {...{ file, point }} onPoint={hasPoint && canChange ? setPoint : undefined} />
        <FileTexts key={turn} file={file} canChange={canChange} />
      </form>
      <FileUses id={file.id} />
      <div className="row dialog-foot">
        <a className="button" href={fresh(file, file.url)} download={file.name}>
          {text.download}
        </a>
        {canChange && <FileButton label={text.replace} accept={file.mime} onFiles={replace} />}
        {may(me, fileUid, 'delete') && (
          <button type="button" className="button quiet danger" onClick={() => setDeleting(true)}>
            {text.remove}
          </button>
        )}
      </div>
      {isDeleting && (
        <DeleteDialog
          title={text.deleteTitle(file.name)}
          filters={{ id: { $eq: file.id } }}
          onClose={() => setDeleting(false)}
          onDelete={async () => {
            await deleteFile(file.id)
            onClose()
            await filesChanged(client)
          }}
        />
      )}
    </Dialog>
  )
}

interface FilePreviewProps {
  readonly file: LibraryFile
  readonly point: FocalPoint | null
  readonly onPoint: ((point: FocalPoint | null) => void) | undefined
}

function FilePreview({ file, point, onPoint }: FilePreviewProps) {
  const text = useText()
  const { mime, width, height, size, createdAt } = file
  const [kind] = mime.split('/')
  const address = fresh(file, file.url)
  const number = new Intl.NumberFormat(text.language, { maximumFractionDigits: 0 })
  const facts = [
    mime,
    width && height ? text.byPixels(number.format(width), number.format(height)) : '',
    size < 1 ? `${number.format(size * 1000)} B` : `${number.format(size)} kB`,
    dayOf(createdAt, text),
  ]
  return (
    <div className="file-side">
      {isShown(mime) && (
        <FocalPicture
          key={address}
          src={address}
          alt={file.alternativeText ?? ''}
          point={point}
          onPoint={onPoint}
        />
      )}
      {kind === 'video' && (
        // biome-ignore lint/a11y/useMediaCaption: the library has no captions
        <video className="picture" src={address} controls preload="metadata" aria-label={file.name} />
      )}
      {kind === 'audio' && (
        // biome-ignore lint/a11y/useMediaCaption: the library has no captions
        <audio src={address} controls preload="metadata" aria-label={file.name} />
      )}
      <p className="hint">{facts.filter((fact) => fact !== '').join(', ')}</p>
    </div>
  )
}

function FileTexts({ file, canChange }: { file: LibraryFile; canChange: boolean }) {
  const text = useText()
  const id = useId()
  const isPicture = file.mime.startsWith('image/')
  const name = { id: `${id}-name`, name: 'name', defaultValue: file.name, readOnly: !canChange }
  const other = (key: 'alternativeText' | 'caption') => ({
    id: `${id}-${key}`,
    name: key,
    defaultValue: file[key] ?? '',
    readOnly: !canChange,
  })
  return (
    <div className="sign-in">
      <div className="field">
        <label htmlFor={name.id}>{text.fileName}</label>
        <input className="in" {...name} required />
      </div>
      <div className="field">
        <label htmlFor={`${id}-alternativeText`}>{text.alternativeText}</label>
        <textarea
          className="in"
          {...other('alternativeText')}
          aria-describedby={isPicture ? `${id}-why` : undefined}
        />
        {isPicture && (
          <p className="hint" id={`${id}-why`}>
            {text.alternativeWhy}
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-caption`}>{text.caption}</label>
        <textarea className="in" {...other('caption')} />
      </div>
      {canChange && <SubmitRow label={text.save} />}
    </div>
  )
}

function FileUses({ id }: { id: number }) {
  const text = useText()
  const { model } = useSession()
  const uses = useQuery<readonly UsedFile[]>({
    queryKey: ['uses', id],
    queryFn: ({ signal }) => usesOf({ id }, 1, model, text, signal),
    staleTime: 0,
  })
  const file = uses.data?.[0]
  return (
    <section className="uses">
      <h3>{text.usedIn}</h3>
      <Asked of={{ [text.usedIn]: uses }} />
      {file && <p>{file.uses.length > 0 ? <UseLinks file={file} /> : text.usedNowhere}</p>}
      <p className="hint">{text.usesYouMayRead}</p>
    </section>
  )
}
