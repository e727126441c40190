import { Button, ComboBox, I18nProvider, Input, ListBox, ListBoxItem } from 'react-aria-components'
import { keepDialog, Results } from '../related/results.tsx'
import { useText } from '../text/index.ts'

interface KindPickerProps {
  /** The components that can be inserted, by uid. */
  readonly kinds: readonly string[]
  readonly nameOf: (uid: string) => string
  readonly onChoose: (uid: string) => void
}

/** A list of many kinds of parts, which is open at once and narrowed by typing. */
export default function KindPicker({ kinds, nameOf, onChoose }: KindPickerProps) {
  const text = useText()
  return (
    <I18nProvider locale={text.language}>
      <ComboBox
        className="picker kind-picker"
        aria-label={text.insertKind}
        defaultItems={kinds.map((id) => ({ id }))}
        menuTrigger="focus"
        allowsEmptyCollection
        onSelectionChange={(uid) => uid !== null && onChoose(String(uid))}
      >
        <Input className="in" autoFocus placeholder={text.insertKind} onKeyDownCapture={keepDialog} />
        <Button className="picker-open">▾</Button>
        <Results>
          <ListBox
            className="listbox"
            renderEmptyState={() => <div className="option">{text.notFoundPick}</div>}
          >
            {({ id }: { id: string }) => (
              <ListBoxItem className="option" id={id} textValue={nameOf(id)}>
                <span>{nameOf(id)}</span>
              </ListBoxItem>
            )}
          </ListBox>
        </Results>
      </ComboBox>
    </I18nProvider>
  )
}
