/**
 * A slug of a title: lower case, letters and digits of ASCII, hyphens between.
 *
 *     slugOf('Gulliver’s Travels', 'en') → gullivers-travels
 *     slugOf('L’Odyssée', 'fr')          → l-odyssee
 *     slugOf('The Tale of Kiều', 'en')   → the-tale-of-kieu
 */
export function slugOf(title, locale) {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[đĐ]/g, 'd')
    .replace(/[œŒ]/g, 'oe')
    .replace(/['’]/g, locale === 'fr' ? '-' : '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
