import type { ContentType } from '../model.ts'

export default function EntryPage({ type, id }: { type: ContentType; id: string | undefined }) {
  return (
    <main id="main">
      {type.name} {id}
    </main>
  )
}
