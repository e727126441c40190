import { sameJson } from '../../form/index.ts'
import type { Attributes, ContentType, Model } from '../model/model.ts'
import { readableModel } from '../model/rights.ts'
import type { Session } from '../model/session.tsx'
import { request } from '../requests/api.ts'

type Owner = { readonly uid: string; readonly attributes: Attributes }

/** Whether a content-type or component of the page has other attributes by now. */
const isOther = (known: Owner, now: readonly Owner[]): boolean =>
  !sameJson(known.attributes, now.find(({ uid }) => uid === known.uid)?.attributes)

/**
 * Whether the server has other definitions than the page, since it was started again: a refusal may be due to them, and no correction on
 * this page helps. False where the server gives no answer.
 */
export async function isOlderThanContent(
  type: ContentType,
  { me, model }: Pick<Session, 'me' | 'model'>,
): Promise<boolean> {
  const answer = await request<Model>('GET', 'model').catch(() => undefined)
  if (!answer) return false
  const { types, components } = readableModel(answer.body, me)
  return isOther(type, types) || model.components.some((one) => isOther(one, components))
}
