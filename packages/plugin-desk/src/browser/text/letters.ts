/** Letters as people count them: an emoji and a letter with its accents are one each, whatever they are made of. */

const segmenter = new Intl.Segmenter()

/** The first letters of a text. */
export const firstLetters = (text: string, count: number): string =>
  Array.from(segmenter.segment(text.slice(0, 100)), ({ segment }) => segment)
    .slice(0, count)
    .join('')

/** Code units beyond a cut that belong to the letter before it at most; one of a family takes eleven. */
const longestLetter = 64

/** The beginning of a text, which ends between two letters. @param most Code units. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = segmenter.segment(text.slice(0, most + longestLetter)).containing(most)?.index
  return text.slice(0, cut || most)
}

/** Whether a text has nothing that is seen: no letter, or only spaces and marks without a width. */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}]*$/u.test(text)
