import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allFolders } from '../../library-query.ts'
import { remove, request } from '../requests/api.ts'
import { useCreation } from '../requests/creation.ts'

/** A folder of the library. */
export interface Folder {
  readonly id: number
  readonly name: string
  readonly parent: number | null
}

/** The tree of folders. */
export interface Folders {
  readonly count: number
  /** By name. @param parent `null`: the folders that are in no other one */
  within(parent: number | null): readonly Folder[]
  find(id: number | null): Folder | undefined
  /** A folder and those that it is in, the outermost first. */
  wayTo(id: number | null): readonly Folder[]
  /** The ids from the root, as files have them: `/3/17`; `/` for the place outside of all. */
  pathOf(id: number | null): string
  /** The folders with a text in their name. */
  named(words: string): readonly Folder[]
}

function treeOf(all: readonly Folder[]): Folders {
  const byId = new Map(all.map((folder) => [folder.id, folder]))
  const byParent = Map.groupBy(all, ({ parent }) => parent)
  const find = (id: number | null) => (id === null ? undefined : byId.get(id))
  const wayTo = (id: number | null): readonly Folder[] => {
    const way: Folder[] = []
    for (let at = find(id); at; at = find(at.parent)) way.unshift(at)
    return way
  }
  return {
    count: all.length,
    within: (parent) => byParent.get(parent) ?? [],
    find,
    wayTo,
    pathOf: (id) =>
      `/${wayTo(id)
        .map((folder) => folder.id)
        .join('/')}`,
    named: (words) => all.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase())),
  }
}

export const folderList = queryOptions<readonly Folder[]>({
  queryKey: ['folders'],
  queryFn: ({ signal }) => request<readonly Folder[]>('GET', allFolders, { signal }).then(({ body }) => body),
})

/** All folders, and the request for them; the tree of none until they have arrived. */
export function useFolders() {
  const asking = useQuery(folderList)
  const { data } = asking
  const folders = useMemo(() => treeOf(data ?? []), [data])
  return { folders, asking }
}

/** @returns a function that makes a folder */
export function useNewFolder() {
  const create = useCreation<Folder>({ ...folderList, path: allFolders, items: (all) => all })
  return (name: string, parent: number | null): Promise<Folder> =>
    create({
      body: { name, parent },
      make: async () => (await request<Folder>('POST', 'folders', { body: { name, parent } })).body,
      isIt: (folder) => folder.name === name && folder.parent === parent,
      found: async (folder) => folder,
    })
}

export const renameFolder = (id: number, name: string): Promise<unknown> =>
  request('PUT', `folders/${id}`, { body: { name } })

export const deleteFolder = (id: number): Promise<unknown> => remove(`folders/${id}`)

/** Moves files and folders, all of them or none. @param to `null`: out of all folders */
export const moveInto = (
  moved: { readonly files?: readonly number[]; readonly folders?: readonly number[] },
  to: number | null,
): Promise<unknown> => request('POST', 'folders/move', { body: { ...moved, to } })
