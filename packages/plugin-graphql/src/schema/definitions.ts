import { ConfigurationError } from '@octavo/core'
import { isGraphqlName } from './names.ts'

/** The definitions of a schema by name, in SDL. */
export class Definitions {
  readonly #texts = new Map<string, { readonly text: string; readonly source: string }>()
  readonly #operations = new Map<string, string>()
  /** Values of enumerations by their names in GraphQL, where one differs. */
  readonly enums = new Map<string, ReadonlyMap<string, string>>()
  /** Types of the components of a zone, by the scalar of its input. */
  readonly zones = new Map<string, readonly string[]>()

  /** @throws ConfigurationError for a name that another definition has */
  add(name: string, source: string, text: string): void {
    const other = this.#texts.get(name)
    if (other)
      throw new ConfigurationError(
        `GraphQL: ${source} and ${other.source} would both have the type ${name}. Change info.singularName of one of them, or the name of the component`,
      )
    this.checkName(name, source)
    this.#texts.set(name, { text, source })
  }

  /** @param name `Query.articles`. @throws ConfigurationError for an operation that another content-type has */
  addOperation(name: string, source: string): void {
    const other = this.#operations.get(name)
    if (other !== undefined)
      throw new ConfigurationError(
        `GraphQL: ${source} and ${other} would both have the operation ${name}. Change the names in info of one of them, or list the operation of one in disabled`,
      )
    this.#operations.set(name, source)
  }

  /** @throws ConfigurationError for the same name with other values */
  addEnum(name: string, source: string, values: ReadonlyMap<string, string>): void {
    const text = `enum ${name} {\n  ${[...values.keys()].join('\n  ')}\n}`
    const other = this.#texts.get(name)
    // Two attributes with one `enumName` share the type when they share the values.
    if (other?.text === text) return
    if (other)
      throw new ConfigurationError(
        `GraphQL: ${source} and ${other.source} would both have the enumeration ${name}, with different values. Set enumName of one of them`,
      )
    this.add(name, source, text)
    this.enums.set(name, values)
  }

  /** @throws ConfigurationError for a name that GraphQL cannot write */
  checkName(name: string, source: string): void {
    if (!isGraphqlName(name))
      throw new ConfigurationError(
        `GraphQL: ${source} would have the name "${name}". Names have letters, digits and _, and begin with no digit`,
      )
  }

  has(name: string): boolean {
    return this.#texts.has(name)
  }

  get text(): string {
    return [...this.#texts.values()].map(({ text }) => text).join('\n\n')
  }
}
