import { TakeOverAll } from '../field-frame/value-beside.tsx'
import { FailedField } from '../fields/failed-field.tsx'
import { FieldView } from '../fields/field.tsx'
import { TitleField } from '../fields/title.tsx'
import { mainFieldOf } from '../model/layout.ts'
import { type ContentType, isShared } from '../model/model.ts'
import { useEntry } from '../open-entry/context.ts'
import { useShownFields } from '../open-entry/shown-fields.ts'
import { Contained } from '../page-parts/contained.tsx'

/** The fields of the margin: relations and files. */
export const inMargin = (type: ContentType, name: string): boolean =>
  ['relation', 'media'].includes(type.attributes[name]?.type ?? '')

interface SheetProps {
  readonly type: ContentType
  readonly name: string
  /** Whether the entry is a new language of another one, which has the values that all languages share. */
  readonly isTranslation: boolean
}

/** The page that is written: the title in large letters, and the fields below. */
export function Sheet({ type, name, isTranslation }: SheetProps) {
  const { beside } = useEntry()
  const fields = useShownFields('')
  const main = mainFieldOf(type)
  const title = fields.find(([field]) => field === main && type.attributes[field]?.type === 'string')
  const shown = fields.filter(
    ([field]) => field !== title?.[0] && !inMargin(type, field) && !(isTranslation && isShared(type, field)),
  )
  return (
    <div className={beside ? 'sheet with-beside' : 'sheet'}>
      {beside && <TakeOverAll key={beside.locale.code} />}
      {title ? (
        <Contained instead={(again, error) => <FailedField fieldKey={title[1]} {...{ again, error }} />}>
          <TitleField fieldKey={title[1]} />
        </Contained>
      ) : (
        <h1>{name}</h1>
      )}
      <div className="grid">
        {shown.map(([, key]) => (
          <FieldView key={key} fieldKey={key} />
        ))}
      </div>
    </div>
  )
}
