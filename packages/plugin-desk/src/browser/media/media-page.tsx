import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { outside } from '../../library-query.ts'
import { fileUid } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { useOpening } from '../page-parts/opening.ts'
import { filesChanged } from '../requests/changes.ts'
import { useText } from '../text/index.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { FileDialog } from './file-dialog.tsx'
import { deleteFile, fileList, type LibraryFile } from './files.ts'
import { folderList, moveInto } from './folders.ts'
import { Library } from './library.tsx'
import { type Marked, without } from './marked.ts'
import { MoveDialog } from './move-dialog.tsx'

/** Asks for what the page begins with. The document has named it to the browser, whose answer is taken here. */
export function ask(client: QueryClient): void {
  void client.prefetchQuery(folderList)
  // Another folder has other files.
  if (location.search === '') void client.prefetchQuery(fileList(outside, 0))
}

/** The library of files. The address has the folder: `/desk/media?folder=3`. */
export default function MediaPage() {
  const text = useText()
  const { me } = useSession()
  const [, go] = useLocation()
  const folder = Number(new URLSearchParams(useSearch()).get('folder')) || null
  const [opened, open, close] = useOpening<LibraryFile>()
  const [marked, setMarked] = useState<Marked>(new Map())
  useEffect(() => {
    document.title = text.media
  }, [text])
  const canMark = may(me, fileUid, 'update') || may(me, fileUid, 'delete')
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="head">
        <h1>{text.media}</h1>
      </div>
      <Library
        folder={folder}
        onFolder={(id) => {
          setMarked(new Map())
          go(id === null ? '/media' : `/media?folder=${id}`)
        }}
        onOpen={open}
        {...(canMark && { marked, onMark: setMarked })}
        foot={marked.size > 0 && <MarkedActions marked={marked} onDone={(ids) => setMarked(without(ids))} />}
      />
      {opened && <FileDialog key={opened.id} file={opened} onClose={close} />}
    </main>
  )
}

/** The buttons that change the marked files. */
function MarkedActions({ marked, onDone }: { marked: Marked; onDone: (ids: readonly number[]) => void }) {
  const text = useText()
  const { me } = useSession()
  const client = useQueryClient()
  const [tool, setTool, close] = useOpening<'move' | 'delete'>()
  const ids = [...marked.keys()]
  const done = async () => {
    onDone(ids)
    await filesChanged(client)
  }
  return (
    <>
      <b>{text.selected(ids.length)}</b>
      {may(me, fileUid, 'update') && (
        <button type="button" className="button" onClick={() => setTool('move')}>
          {text.move}
        </button>
      )}
      {may(me, fileUid, 'delete') && (
        <button type="button" className="button quiet danger" onClick={() => setTool('delete')}>
          {text.remove}
        </button>
      )}
      {tool === 'move' && (
        <MoveDialog
          title={text.moveFiles(ids.length)}
          onClose={close}
          onMove={(to) => moveInto({ files: ids }, to).then(done)}
        />
      )}
      {tool === 'delete' && (
        <DeleteDialog
          title={text.deleteFiles(ids.length)}
          filters={{ id: { $in: ids } }}
          onClose={close}
          onDelete={async () => {
            try {
              for (const id of ids) await deleteFile(id)
            } finally {
              await filesChanged(client)
            }
            onDone(ids)
          }}
        />
      )}
    </>
  )
}
