import type { ActionDeclaration, Model } from '@octavo/core/plugin'

type Actions = ReadonlyMap<string, ActionDeclaration>

/** The declared actions, as rights look them up. */
export class DeclaredActions {
  readonly #actions: () => Actions
  #named: { readonly actions: Actions; readonly names: ReadonlyMap<string, string> } | undefined

  /** @param actions The current actions of the octavo; their number grows when a content-type is added. */
  constructor(actions: () => Actions) {
    this.#actions = actions
  }

  /** The entries that an action was declared to work on, if they are of this model. */
  entriesOf(action: string, { uid }: Pick<Model, 'uid'>): ActionDeclaration['entries'] {
    const entries = this.#actions().get(action)?.entries
    return entries?.type === uid ? entries : undefined
  }

  /** The permission for core's action `as`: `user.destroy` for `delete`. */
  nameOf({ uid }: Pick<Model, 'uid'>, as: string): string {
    return this.#names().get(`${uid}.${as}`) ?? `${uid}.${as}`
  }

  #names(): ReadonlyMap<string, string> {
    const actions = this.#actions()
    if (this.#named?.actions === actions) return this.#named.names
    const names = new Map<string, string>()
    for (const { name, entries } of actions.values()) {
      const key = entries && `${entries.type}.${entries.as}`
      if (key !== undefined && !names.has(key)) names.set(key, name)
    }
    this.#named = { actions, names }
    return names
  }
}
