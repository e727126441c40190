/** A value that is JSON text already. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The text of a value, at whose top level texts may be. */
export const jsonOf = (value: unknown): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value)

/** An object of such values. */
export const jsonObject = (members: Iterable<readonly [key: string, value: unknown]>): string =>
  `{${[...members].map(([key, value]) => `${JSON.stringify(key)}:${jsonOf(value)}`).join(',')}}`
