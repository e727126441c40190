/// <reference lib="dom" />
/**
 * The contract of extension modules, as types only: a module of the desk is JavaScript for browsers that imports nothing of this package.
 *
 *     /** @type {import('@octavo/plugin-desk/extension').Extension} *\/
 *     export default {
 *       contract: 1,
 *       setup(desk) {
 *         desk.defineField({ name: 'colour', for: 'plugin::color-picker.color', mount(element, field) { … } })
 *       },
 *     }
 *
 * Version 1 only grows: the values that modules read and return today stay valid. A change that breaks old modules is version 2.
 */

/** The default export of a module. */
export interface Extension {
  /** The version of the contract that the module is written for. A desk without it leaves the module out, and says so. */
  readonly contract: 1
  /** Called once, when a person has signed in. It defines everything before it returns. */
  readonly setup: (desk: DeskHost) => void
}

/** The functions that the desk offers a module while it is set up, and later. */
export interface DeskHost {
  /** The version of the contract. */
  readonly contract: 1
  /** The language of the pages, such as `de`. It changes when the person chooses another one. */
  readonly language: string
  /** The side of the page at which lines begin. */
  readonly direction: 'ltr' | 'rtl'
  /** Draws attributes of some custom fields or types. Of two fields for one attribute the first one draws it. */
  readonly defineField: (field: FieldExtension) => void
  /** Draws cells of lists; types that lists leave out become columns by it. */
  readonly defineCell: (cell: CellExtension) => void
  /** Adds a panel beside entries. */
  readonly definePanel: (panel: PanelExtension) => void
  /** Adds a button to entries that are stored. */
  readonly defineAction: (action: ActionExtension) => void
  /** Adds a page, with a link to it in the navigation. */
  readonly definePage: (page: PageExtension) => void
  /**
   * A request to the API of editors, with the rights of the person. A person whose session has ended signs in first.
   *
   *     await desk.request('GET', 'content/articles?publicationState=preview&pagination[limit]=5')
   *
   * @param path Below `/desk/api/`, with its query.
   * @param body Sent as JSON.
   * @returns the JSON of the answer
   * @throws Error with `status` and `message` of a refusal; status 0 when the server cannot be reached
   */
  readonly request: (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ) => Promise<unknown>
}

/** A text, or texts by the codes of languages: the language of the person is used, or else the first one. */
export type Words = string | Readonly<Record<string, string>>

/** The functions that `mount` may return. An error in any of these functions takes the extension out of the page, which says so. */
export interface Mounted<State> {
  /** Shows another state. Without it, the extension is unmounted and mounted anew. */
  readonly update?: (state: State) => void
  /** Ends what the element does not take along, such as timers. The element is removed by the desk. */
  readonly unmount?: () => void
}

/** An attribute as in its definition. */
export interface AttributeInfo {
  readonly type: string
  /** The uid of the custom field, such as `plugin::color-picker.color`. */
  readonly customField?: string
  readonly [option: string]: unknown
}

export interface FieldExtension {
  /** For messages, such as `colour`. */
  readonly name: string
  /** Names of custom fields and of attribute types, one or several. Relations, files and components are not drawn by extensions. */
  readonly for: string | readonly string[]
  /** Puts controls into an empty element. */
  readonly mount: (
    element: HTMLElement,
    field: FieldState,
  ) => Mounted<FieldState> & { readonly update: (field: FieldState) => void }
}

export interface FieldState {
  /** The value in JSON; `null` or `undefined` for none. */
  readonly value: unknown
  /** Changes the value; `null` removes it. Has no effect while the field is disabled. */
  readonly onChange: (value: unknown) => void
  /** Whether the person may not change the value. */
  readonly disabled: boolean
  /** The mistake as a sentence, which the page shows below the field. */
  readonly error: string | undefined
  readonly labels: {
    /** The element is a group with this name; a control in it needs one of its own, in `aria-label`. */
    readonly label: string
    readonly placeholder: string | undefined
    readonly required: boolean
    /** The id of the mistake or the description below the field, for `aria-describedby`. */
    readonly describedBy: string | undefined
  }
  readonly attribute: AttributeInfo
}

export interface CellExtension {
  readonly name: string
  /** As for fields. */
  readonly for: string | readonly string[]
  readonly mount: (element: HTMLElement, cell: CellState) => Mounted<CellState> | undefined
}

export interface CellState {
  readonly value: unknown
  readonly attribute: AttributeInfo
  readonly entry: EntryInfo
}

/** An entry as it is stored. */
export interface EntryInfo {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface TypeInfo {
  /** The uid of the content-type, such as `api::article.article`. */
  readonly uid: string
  readonly kind: 'collectionType' | 'singleType'
  /** The last part of the paths of its entries: `articles`. */
  readonly route: string
  readonly attributes: Readonly<Record<string, AttributeInfo>>
}

export interface PanelExtension {
  readonly name: string
  readonly title: Words
  /** The content-types, by uid. Default: all. */
  readonly types?: readonly string[]
  readonly mount: (element: HTMLElement, panel: PanelState) => Mounted<PanelState> | undefined
}

export interface PanelState {
  readonly type: TypeInfo
  /** `undefined` while the entry is new. */
  readonly entry: EntryInfo | undefined
  readonly locale: string | undefined
  /** A value of the form as it is written now: that of an attribute with a value of its own, `undefined` for others. */
  readonly read: (attribute: string) => unknown
  /** Writes such a value into the form, which the person saves. @returns false where the person may not change it */
  readonly write: (attribute: string, value: unknown) => boolean
}

export interface ActionExtension {
  readonly name: string
  readonly label: Words
  /** The content-types, by uid. Default: all. */
  readonly types?: readonly string[]
  /**
   * Called by the button, which waits for it. The button is disabled while the entry has changes that are not saved. Afterwards the
   * page shows the entry as it is stored, and what the person has typed meanwhile.
   *
   * @returns a sentence for the person; other values are ignored
   */
  readonly run: (entry: ActionState) => Promise<Words | undefined> | Words | undefined
}

export interface ActionState {
  readonly type: TypeInfo
  readonly entry: EntryInfo
  readonly locale: string | undefined
}

export interface PageExtension {
  /** The last part of the address `/desk/pages/<name>`: small letters, digits and hyphens. */
  readonly name: string
  readonly title: Words
  readonly mount: (element: HTMLElement) => Mounted<undefined> | undefined
}
