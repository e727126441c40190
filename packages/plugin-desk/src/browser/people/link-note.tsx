import { SecretNote } from '../managed/secret-note.tsx'
import { useText } from '../text/index.ts'

/** A link that is shown once, for the person who passes it on. */
export function LinkNote({ link }: { link: string }) {
  const text = useText()
  return <SecretNote label={text.linkOnce} secret={link} copy={text.copyLink} />
}
