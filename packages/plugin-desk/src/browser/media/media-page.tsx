import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { fileUid } from '../model.ts'
import { may } from '../rights.ts'
import { useSession } from '../session.tsx'
import { reasonOf } from '../sign-in.tsx'
import { useText } from '../text/index.ts'
import { describeFile, type LibraryFile, thumbOf } from './files.ts'
import { Library } from './library.tsx'

/** The library of files. */
export default function MediaPage() {
  const text = useText()
  const [chosen, choose] = useState<LibraryFile | undefined>()
  useEffect(() => {
    document.title = text.media
  }, [text])
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="head">
        <h1>{text.media}</h1>
      </div>
      <Library onChoose={choose} />
      {chosen && <FileDialog key={chosen.id} file={chosen} onClose={() => choose(undefined)} />}
    </main>
  )
}

function FileDialog({ file, onClose }: { file: LibraryFile; onClose: () => void }) {
  const text = useText()
  const { me } = useSession()
  const client = useQueryClient()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => dialog.current?.showModal(), [])
  const thumb = thumbOf(file)
  const canChange = may(me, fileUid, 'update')
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    try {
      await describeFile(file.id, {
        name: String(given.get('name')),
        alternativeText: String(given.get('alternativeText')),
      })
      await client.invalidateQueries({ queryKey: ['files'] })
      dialog.current?.close()
    } catch (error) {
      setProblem(reasonOf(error, text))
    }
  }
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{file.name}</h2>
      {problem !== '' && (
        <p className="note wrong" role="alert">
          {problem}
        </p>
      )}
      <form className="sign-in" onSubmit={submit}>
        {thumb && <img className="picture" src={file.url} alt={file.alternativeText ?? ''} />}
        <div className="field">
          <label htmlFor={`${id}-name`}>{text.fileName}</label>
          <input
            className="in"
            id={`${id}-name`}
            name="name"
            defaultValue={file.name}
            readOnly={!canChange}
            required
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-text`}>{text.alternativeText}</label>
          <textarea
            className="in"
            id={`${id}-text`}
            name="alternativeText"
            defaultValue={file.alternativeText ?? ''}
            readOnly={!canChange}
            aria-describedby={`${id}-why`}
          />
          <p className="hint" id={`${id}-why`}>
            {text.alternativeWhy}
          </p>
        </div>
        <div className="row">
          {canChange && (
            <button type="submit" className="button main">
              {text.save}
            </button>
          )}
          <button type="button" className="button quiet" onClick={() => dialog.current?.close()}>
            {text.close}
          </button>
        </div>
      </form>
    </dialog>
  )
}
