/** Addresses that are made of titles. */
import slugify from '@sindresorhus/slugify'
import type { AttributeDefinition } from '../../form/index.ts'
import type { ListAnswer } from '../model/entries.ts'
import type { ContentType } from '../model/model.ts'
import { request } from '../requests/api.ts'

/**
 * An address made of a title as the server makes one: `Die Straße` is `die-strasse`, and `Привет` is `privet`. Empty for a title without a
 * letter or digit that can be written in an address, such as one in Chinese.
 */
export const slugOf = (title: string): string => slugify(title)

/** Whether an address has been made of another one that was taken: `the-quiet-river-2`. */
export const isNumbered = (address: string, slug: string): boolean =>
  address.startsWith(`${slug}-`) && /^\d{1,2}$/.test(address.slice(slug.length + 1))

/** The query of the entries among which an address is one of a kind. A list names the entries of the default language otherwise. */
export const rivalsOf = (
  type: ContentType,
  { uniqueWithin }: AttributeDefinition,
  locale: string | undefined,
) => ({
  publicationState: 'preview',
  ...(type.isLocalized && {
    locale: Array.isArray(uniqueWithin) && uniqueWithin.includes('locale') ? locale : 'all',
  }),
})

/** Addresses with the same beginning that are looked at. */
const most = 100

/**
 * An address made of another one that no entry has, as far as the roles of the person show: `the-quiet-river-2`.
 *
 * @throws ApiError
 */
export async function freeAddress(
  type: ContentType,
  name: string,
  slug: string,
  locale: string | undefined,
): Promise<string> {
  const query = {
    ...rivalsOf(type, type.attributes[name] ?? { type: 'uid' }, locale),
    fields: [name],
    filters: { [name]: { $startsWith: slug } },
    pagination: { pageSize: most, withCount: false },
  }
  const { body } = await request<ListAnswer>('GET', `content/${type.route}`, { query })
  const taken = new Set(body.data.map(({ attributes }) => attributes[name]))
  let address = slug
  for (let number = 2; taken.has(address); number += 1) address = `${slug}-${number}`
  return address
}
