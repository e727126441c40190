/** The answers that a change outdates: they are asked for again, where a page shows them, or when it does. */
import type { QueryClient } from '@tanstack/react-query'

/** The beginnings of the keys of answers about entries. */
const ofEntries = ['list', 'pick', 'may', 'beside'] as const

/**
 * Called when entries of any type have been changed. Lists and choices show the names of related entries too, the conditions of roles compare
 * them, and an entry may be shown beside its translation.
 */
export async function entriesChanged(client: QueryClient): Promise<void> {
  await Promise.all(ofEntries.map((key) => client.invalidateQueries({ queryKey: [key] })))
}

/** Called when files have been changed, which entries show as well. @returns a promise for the files as they are now */
export function filesChanged(client: QueryClient): Promise<void> {
  void entriesChanged(client)
  return client.invalidateQueries({ queryKey: ['files'] })
}
