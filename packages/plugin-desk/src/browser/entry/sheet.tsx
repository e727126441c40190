import { FieldView } from '../fields/field.tsx'
import { TitleField } from '../fields/title.tsx'
import { type ContentType, mainFieldOf } from '../model.ts'
import { useEntry } from './context.ts'

/** Whether a language of an entry has a value of its own for an attribute. */
export const isShared = (type: ContentType, name: string): boolean => {
  const options = type.attributes[name]?.pluginOptions as { i18n?: { localized?: boolean } } | undefined
  return type.isLocalized && options?.i18n?.localized !== true
}

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
  const { form } = useEntry()
  const root = form.get('')
  const fields = root.kind === 'group' ? root.fields : {}
  const main = mainFieldOf(type.attributes)
  const hasTitle =
    main !== undefined && fields[main] !== undefined && type.attributes[main]?.type === 'string'
  const shown = Object.entries(fields).filter(
    ([field]) =>
      !(hasTitle && field === main) && !inMargin(type, field) && !(isTranslation && isShared(type, field)),
  )
  return (
    <div className="sheet">
      {hasTitle ? <TitleField fieldKey={fields[main] ?? ''} /> : <h1>{name}</h1>}
      <div className="grid">
        {shown.map(([, key]) => (
          <FieldView key={key} fieldKey={key} />
        ))}
      </div>
    </div>
  )
}
