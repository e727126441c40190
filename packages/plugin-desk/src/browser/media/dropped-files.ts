/** Files that are dropped, also within folders. */

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Systems have files of their own in folders, such as `.DS_Store`. */
const isHidden = ({ name }: FileSystemEntry): boolean => name.startsWith('.')

/** Lists the files and folders in a folder. Browsers return a hundred of them at a time, and an empty list at the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const found: FileSystemEntry[][] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return found.flat().filter((entry) => !isHidden(entry))
    found.push(some)
  }
}

async function filesIn(entry: FileSystemEntry): Promise<readonly File[]> {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))]
  if (!isFolder(entry)) return []
  const all: (readonly File[])[] = []
  for (const one of await entriesIn(entry)) all.push(await filesIn(one))
  return all.flat()
}

/**
 * The files that are dropped. A folder itself is none: its upload would fail as if there were no connection.
 *
 * @throws DOMException for a file that cannot be read
 */
export function droppedFiles({ items }: DataTransfer): Promise<readonly File[]> {
  // The items are gone once the event is over.
  const dropped = [...items].flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? [])
  const files = dropped.map((one) => (one instanceof File ? [one] : filesIn(one)))
  return Promise.all(files).then((all) => all.flat())
}
