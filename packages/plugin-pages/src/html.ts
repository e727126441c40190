/** HTML that is safe to insert. Created by {@link html}. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Insert = Html | string | number | false | undefined | readonly Insert[]

/** A template of HTML: inserted texts are escaped, inserted HTML is not. `false` and `undefined` insert nothing. */
export const html = (parts: TemplateStringsArray, ...inserts: readonly Insert[]): Html =>
  new Html(parts.map((part, i) => part + (i < inserts.length ? textOf(inserts[i]) : '')).join(''))

function textOf(insert: Insert): string {
  if (insert === undefined || insert === false) return ''
  if (insert instanceof Html) return insert.text
  if (typeof insert === 'object') return insert.map(textOf).join('')
  return String(insert).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
