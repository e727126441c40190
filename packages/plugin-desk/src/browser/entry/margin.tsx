import { ofType, useExtensions } from '../extensions/registry.ts'
import { FieldView } from '../fields/field.tsx'
import { type Entry, relatedIn } from '../model/entries.ts'
import { type ContentType, isShared } from '../model/model.ts'
import { useShownFields } from '../open-entry/shown-fields.ts'
import { CannotShow, Contained } from '../page-parts/contained.tsx'
import { useStates } from '../page-parts/desk-parts.tsx'
import { momentOf, useText } from '../text/index.ts'
import { Panels } from './extensions-beside.tsx'
import { inMargin } from './sheet.tsx'

interface MarginProps {
  readonly type: ContentType
  readonly entry: Entry | undefined
  readonly locale: string | undefined
  readonly isTranslation: boolean
}

/** The panels about an entry: files, relations, and when it was made and changed. */
export function Margin(props: MarginProps) {
  const text = useText()
  return (
    <Contained instead={(again) => <CannotShow {...{ again }} name={text.details} />}>
      <Details {...props} />
    </Contained>
  )
}

function Details({ type, entry, locale, isTranslation }: MarginProps) {
  const text = useText()
  const hasPanels = ofType(useExtensions().panels, type.uid).length > 0
  const fields = useShownFields('').filter(
    ([name]) => inMargin(type, name) && !(isTranslation && isShared(type, name)),
  )
  const isMedia = ([name]: readonly [string, string]) => Number(type.attributes[name]?.type === 'media')
  const { publishedAt, createdAt, updatedAt, createdBy, updatedBy } = entry?.attributes ?? {}
  const [published] = useStates(type.hasDrafts, [publishedAt])
  const row = (label: string, time: unknown, by?: unknown) => {
    if (typeof time !== 'string') return null
    const [who] = relatedIn(by)
    const name = [who?.attributes.firstname, who?.attributes.lastname].filter(Boolean).join(' ')
    return (
      <>
        <dt>{label}</dt>
        <dd>
          {momentOf(time, text)}
          {name !== '' && (
            <>
              <br />
              {text.createdBy(name)}
            </>
          )}
        </dd>
      </>
    )
  }
  if (fields.length === 0 && !entry && !hasPanels) return null
  return (
    <aside className="side" aria-label={text.details}>
      {fields
        .toSorted((one, other) => isMedia(other) - isMedia(one))
        .map(([, key]) => (
          <FieldView key={key} fieldKey={key} />
        ))}
      <Panels {...{ type, entry, locale }} />
      {entry && (
        <dl>
          {row(published?.state === 'soon' ? text.goesLiveAt : text.publishedAt, publishedAt)}
          {row(text.updatedAt, updatedAt, updatedBy)}
          {row(text.createdAt, createdAt, createdBy)}
        </dl>
      )}
    </aside>
  )
}
