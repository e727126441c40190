import { useEffect } from 'react'
import type { PageExtension } from '../../extension.ts'
import { useText } from '../text/index.ts'
import { MountPlace } from './mount.tsx'
import { type Defined, inLanguage } from './registry.ts'

/** A page of an extension: its title, and an element for the rest. */
export function ExtensionPage({ page }: { page: Defined<PageExtension> }) {
  const { language } = useText()
  const title = inLanguage(page.title, language)
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="head">
        <h1>{title}</h1>
      </div>
      <MountPlace of={page} state={undefined} />
    </main>
  )
}
