import type { ComponentDraft, ContentTypeDraft, Draft } from './draft.ts'

/** No two definitions may share a uid, a name in paths, or a table; case does not tell them apart. */
export function checkClashes(
  contentTypes: readonly ContentTypeDraft[],
  components: readonly ComponentDraft[],
): void {
  const uids = new Claims()
  const names = new Claims()
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

/** Names stand in the paths of one API: those of `api::` types together, each plugin's for itself. */
const namespaceOf = (uid: string): string => (uid.startsWith('api::') ? 'api' : (uid.split('.')[0] ?? uid))

class Claims {
  readonly #owners = new Map<string, Draft>()

  claim(key: string, draft: Draft, name: string, path: readonly string[], what: string): void {
    const owner = this.#owners.get(key.toLowerCase())
    if (!owner) this.#owners.set(key.toLowerCase(), draft)
    // A word without a plural of its own may stand for both.
    else if (owner !== draft) draft.report(path, `the ${what} "${name}" is taken by ${owner.uid}`)
  }
}
