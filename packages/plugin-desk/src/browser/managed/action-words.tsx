/** Actions and events in words, with the names that programs have for them. */
import { fileUid, inWords, type Model, titleOf } from '../model/model.ts'
import { joined, type Texts, useText } from '../text/index.ts'

/** Actions that do what others do under another name. */
const others: Readonly<Record<string, string>> = {
  destroy: 'delete',
  createRole: 'create',
  updateRole: 'update',
  deleteRole: 'delete',
}

/** The part of an action before its last dot: `api::article.article` of `api::article.article.find`. */
export const ownerOf = (action: string): string => {
  const owner = action.slice(0, action.lastIndexOf('.'))
  // One list of permissions has two actions, whose names are not alike.
  return owner === 'plugin::users-permissions.permissions' ? owner.slice(0, -1) : owner
}

/** The last part of its name: `find` of `api::article.article.find`. */
export const shortNameOf = (action: string): string => action.slice(action.lastIndexOf('.') + 1)

const wordsIn = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined

/** An action in words; the last part of its name for one that is not known. */
export function wordsOfAction(action: string, model: Model, text: Texts): string {
  const name = shortNameOf(action)
  const owner = ownerOf(action)
  if (owner === 'plugin::users-permissions.auth') return wordsIn(text.signInActions, name) ?? name
  // A single type has nothing to list.
  const isSingle = model.types.some(({ uid, kind }) => uid === owner && kind === 'singleType')
  const known = isSingle && name === 'find' ? 'read' : (others[name] ?? name)
  return wordsIn(text.actionNames, known) ?? name
}

/** The name of the subject of actions: the title of a content-type, or `Shop: order` of a plugin that is not known. */
export function titleOfOwner(owner: string, model: Model, text: Texts): string {
  const type = model.types.find(({ uid }) => uid === owner)
  if (type) return owner === fileUid ? text.media : titleOf(type)
  const known: Readonly<Record<string, string>> = {
    'plugin::upload.content-api': text.media,
    'plugin::i18n.locales': text.languages,
    'plugin::editors.editor': text.people,
    'plugin::editors.role': text.roles,
    ...text.actionOwners,
  }
  const [plugin = '', ...rest] = owner.replace(/^\w+::/, '').split('.')
  return (
    wordsIn(known, owner) ?? [inWords(plugin), ...rest.map((name) => inWords(name).toLowerCase())].join(': ')
  )
}

/** Several actions in words, by what they are for: `List and find, Change: Articles`. */
export function listOfActions(actions: readonly string[], model: Model, text: Texts): string {
  const groups = [...Map.groupBy(actions, ownerOf)]
  return groups
    .map(([owner, names]) => {
      const words = joined(
        names.map((name) => wordsOfAction(name, model, text)),
        text,
      )
      return text.rightName(words, titleOfOwner(owner, model, text))
    })
    .join(' · ')
}

/** An event of webhooks in words; its name for one that is not known. */
export const wordsOfEvent = (event: string, text: Texts): string => wordsIn(text.eventNames, event) ?? event

/** Words with the name that programs have for them, for people who write programs. */
export function Named({ words, name }: { readonly words: string; readonly name: string }) {
  return (
    <span>
      {words}
      {words !== name && (
        <>
          {' '}
          <small className="num" dir="ltr" translate="no">
            {name}
          </small>
        </>
      )}
    </span>
  )
}

/** An event in words, with its name. */
export function EventName({ event }: { readonly event: string }) {
  return <Named words={wordsOfEvent(event, useText())} name={event} />
}
