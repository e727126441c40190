/**
 * Counts the fields that React draws anew, in a page of a browser. It is given to `page.addInitScript`, and so has no imports: React
 * reports each commit to the hook of its developer tools.
 */

/** A node of React's tree, as far as it is read. */
interface Fiber {
  readonly type: unknown
  readonly flags: number
  readonly alternate: Fiber | null
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly stateNode: unknown
}

interface FieldElement {
  readonly id: string
  readonly classList?: { contains(name: string): boolean }
  querySelector(selector: string): { readonly id: string } | null
}

export interface Drawn {
  /** The ids of fields that were drawn anew, in the order of drawing: a field that is drawn twice is there twice. */
  readonly fields: readonly string[]
  /** Components of all kinds. */
  readonly components: number
}

/** The fields that a page with {@link countDrawnFields} has drawn since the last call. Passed to `page.evaluate`. */
export const takeDrawn = (): Drawn => (globalThis as unknown as { takeDrawn(): Drawn }).takeDrawn()

/** Counts from the beginning of a page. Passed to `page.addInitScript`. */
export function countDrawnFields(): void {
  const performedWork = 1
  let fields: string[] = []
  let components = 0
  /** The field that a component draws: its first element, when that is a field. */
  const fieldOf = (fiber: Fiber): FieldElement | undefined => {
    let at: Fiber | null = fiber
    while (at && typeof at.type !== 'string') at = at.child
    const element = at?.stateNode as FieldElement | undefined // elements of the page have strings as types
    return element?.classList?.contains('field') ? element : undefined
  }
  const visit = (fiber: Fiber, before: Fiber, drawn: Set<FieldElement>): void => {
    if (typeof fiber.type !== 'string' && (fiber.flags & performedWork) > 0) {
      components++
      const field = fieldOf(fiber)
      if (field) drawn.add(field)
    }
    // An unchanged child means that nothing below was drawn.
    if (fiber.child === before.child) return
    for (let child = fiber.child; child; child = child.sibling)
      if (child.alternate) visit(child, child.alternate, drawn)
  }
  const hook = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
    onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) => {
      const { current } = root
      if (!current.alternate) return
      const drawn = new Set<FieldElement>()
      visit(current, current.alternate, drawn)
      for (const field of drawn)
        fields.push(field.id || (field.querySelector('[id*="field-"]')?.id.replace(/-label$/, '') ?? ''))
    },
  }
  Object.assign(globalThis, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: hook,
    takeDrawn: (): Drawn => {
      const taken = { fields, components }
      fields = []
      components = 0
      return taken
    },
  })
}
