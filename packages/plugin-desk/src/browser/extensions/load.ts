/** Loads extension modules and takes what they define. */
import type {
  ActionExtension,
  CellExtension,
  DeskHost,
  Extension,
  FieldExtension,
  PageExtension,
  PanelExtension,
} from '../../extension.ts'
import { request } from '../requests/api.ts'
import { directionOf } from '../text/index.ts'
import { callable, checkDefinition, type KeysOf, name, names, types, words } from './check-definition.ts'
import { type Defined, type Extensions, publish } from './registry.ts'
import { type Drawn, withoutPlace } from './without-place.ts'

/** A module, as the document names it. */
export interface ModuleAddress {
  readonly name: string
  readonly address: string
}

/** The version of the contract that these pages have. */
const contract = 1

/** Pages are shown without a module that takes longer, in milliseconds; what it defines appears when it comes. */
const patience = 3_000

let loading: Promise<void> | undefined

/**
 * Loads the modules, once in the life of the page. A module that fails, or that takes too long, is left out and named.
 *
 * @param drawn What the pages draw; `undefined` for a person who may not see all of it.
 */
export function loadExtensions(
  modules: readonly ModuleAddress[],
  drawn: Promise<Drawn | undefined>,
): Promise<void> {
  if (modules.length === 0) return Promise.resolve()
  loading ??= loadAll(modules, drawn)
  return loading
}

async function loadAll(modules: readonly ModuleAddress[], drawn: Promise<Drawn | undefined>): Promise<void> {
  const take = (name: string, setUpModule: () => Partial<Extensions>): void => {
    try {
      const defined = setUpModule()
      publish(name, defined)
      void drawn.then((all) => all && warn(name, withoutPlace(defined, all)))
    } catch (error) {
      leaveOut(name, error)
    }
  }
  const tooLong = new Promise<'late'>((end) => setTimeout(end, patience, 'late'))
  const loaded = modules.map(({ name, address }) => ({
    name,
    content: (import(address) as Promise<{ default?: unknown }>).then(
      (content) => () => setUp(name, content.default),
      (error: unknown) => () => {
        throw error
      },
    ),
  }))
  // In the order of the list, whichever comes first: of two fields for one attribute the first one counts.
  for (const { name, content } of loaded) {
    const came = await Promise.race([content, tooLong])
    if (came !== 'late') take(name, came)
    else {
      leaveOut(name, new Error(`it has not been loaded within ${patience / 1_000} seconds`))
      void content.then((late) => take(name, late))
    }
  }
}

const warn = (module: string, sentences: readonly string[]): void =>
  sentences.forEach((sentence) => void console.warn(`${module}: ${sentence}`))

function leaveOut(module: string, error: unknown): void {
  console.error(`The extension ${module} was left out.`, error)
  publish(module, { problems: [{ module, reason: error instanceof Error ? error.message : String(error) }] })
}

/** @throws Error for a module of another contract, a mistake in a definition, and an error of `setup` */
export function setUp(module: string, given: unknown): Partial<Extensions> {
  const extension = (given ?? {}) as Partial<Extension>
  if (typeof extension.setup !== 'function')
    throw new Error('its default export is no object with contract and setup')
  if (extension.contract !== contract)
    throw new Error(
      `it is written for version ${extension.contract} of the contract; this desk has ${contract}`,
    )
  const fields: Defined<FieldExtension>[] = []
  const cells: Defined<CellExtension>[] = []
  const panels: Defined<PanelExtension>[] = []
  const actions: Defined<ActionExtension>[] = []
  const pages: Defined<PageExtension>[] = []
  let isOpen = true
  const into =
    <T extends { readonly name: string }>(list: Defined<T>[], keys: KeysOf<T>) =>
    (one: T): void => {
      if (!isOpen) throw new Error(`${one.name} is defined after setup has returned`)
      checkDefinition(one, keys)
      list.push({ ...one, module })
    }
  const host: DeskHost = {
    contract,
    // The person may choose another language while the page is open.
    get language() {
      return document.documentElement.lang
    },
    get direction() {
      return directionOf(document.documentElement.lang)
    },
    defineField: into(fields, { name, for: names, mount: callable }),
    defineCell: into(cells, { name, for: names, mount: callable }),
    definePanel: into(panels, { name, title: words, types, mount: callable }),
    defineAction: into(actions, { name, label: words, types, run: callable }),
    definePage: into(pages, { name, title: words, mount: callable }),
    request: (method, path, body) =>
      request<unknown>(method, path, { body }).then(({ body: answer }) => answer),
  }
  const answer: unknown = extension.setup(Object.freeze(host))
  isOpen = false
  // An `async` setup throws by its promise.
  Promise.resolve(answer).catch((error: unknown) => leaveOut(module, error))
  return { fields, cells, panels, actions, pages }
}
