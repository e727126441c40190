/**
 * Makes `instanceof` recognise the instances that another copy of this package made: two versions of it in one program, or
 * one that is installed twice, have classes of their own. The brand is a registered symbol on the prototype, so that
 * subclasses have it too.
 */
export function recognisable(type: { readonly prototype: object }, kind: string): void {
  const brand = Symbol.for(`octavo:${kind}`)
  Object.defineProperty(type.prototype, brand, { value: true })
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A subclass that a program made inherits this method, and is recognised as any class is.
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value)
      return typeof value === 'object' && value !== null && brand in value
    },
  })
}
