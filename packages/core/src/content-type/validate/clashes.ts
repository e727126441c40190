import { sourceOf } from '../definition/source.ts'
import type { ComponentDraft, ContentTypeDraft, Draft } from '../draft/drafts.ts'

/** Reports duplicate uids, names in paths, and tables, case-insensitively. */
export function checkClashes(
  contentTypes: readonly ContentTypeDraft[],
  components: readonly ComponentDraft[],
): void {
  const uids = new UniqueNames()
  const names = new UniqueNames()
  for (const draft of [...contentTypes, ...components])
    uids.claim(draft.uid, draft, draft.uid, ['uid'], 'uid')
  for (const draft of contentTypes) {
    const namespace = namespaceOf(draft.uid)
    names.claim(
      `${namespace} ${draft.singularName}`,
      draft,
      draft.singularName,
      ['info', 'singularName'],
      'name',
    )
    names.claim(`${namespace} ${draft.pluralName}`, draft, draft.pluralName, ['info', 'pluralName'], 'name')
  }
}

/** The other definition: by its file when the two have the same uid. */
const ownerName = ({ uid, definition }: Draft, draft: Draft): string =>
  (uid === draft.uid ? sourceOf(definition) : undefined) ?? uid

/** Names in paths are unique among all `api::` types, and within each plugin. */
const namespaceOf = (uid: string): string => (uid.startsWith('api::') ? 'api' : (uid.split('.')[0] ?? uid))

class UniqueNames {
  readonly #owners = new Map<string, Draft>()

  claim(key: string, draft: Draft, name: string, path: readonly string[], what: string): void {
    const owner = this.#owners.get(key.toLowerCase())
    if (!owner) this.#owners.set(key.toLowerCase(), draft)
    // Singular and plural names of one type may be equal.
    else if (owner !== draft)
      draft.report(path, `the ${what} "${name}" is taken by ${ownerName(owner, draft)}`)
  }
}
