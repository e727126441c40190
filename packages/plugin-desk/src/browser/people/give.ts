/** The rights that a person may give. The server decides; pages offer only rights that it will not refuse. */

/** A right of a role, as `GET roles` has it. */
export interface Right {
  readonly action: string
  /** The uid of a content-type; absent of general rights such as `people`. */
  readonly type?: string
  readonly fields?: readonly string[]
  readonly locales?: readonly string[]
  /** A condition; a text that is no JSON yet is refused by the server. */
  readonly where?: object | string
}

export interface Role {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly rights: readonly Right[]
}

const hasAll = (
  own: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
  includes: (one: string, other: string) => boolean,
): boolean => own === undefined || wanted?.every((other) => own.some((one) => includes(one, other))) === true

/** Whether a right allows all that another one does. */
export function covers(own: Right, wanted: Right): boolean {
  if (own.action === 'everything') return true
  return (
    own.action === wanted.action &&
    own.type === wanted.type &&
    hasAll(own.fields, wanted.fields, (one, other) => one === other || other.startsWith(`${one}.`)) &&
    hasAll(own.locales, wanted.locales, (one, other) => one === other) &&
    (own.where === undefined || JSON.stringify(own.where) === JSON.stringify(wanted.where))
  )
}

/** Whether somebody with some rights may give a role. */
export const mayGive = (own: readonly Right[], { rights }: Role): boolean =>
  rights.every((wanted) => own.some((one) => covers(one, wanted)))
