import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Desk } from './desk.tsx'
import type { ModuleAddress } from './extensions/load.ts'
import { watchDrops } from './page-parts/drop-place.ts'
import { watchLeaving, watchReturning } from './page-parts/unsaved.ts'
import { DeskQueries } from './requests/desk-queries.ts'
import { bearRewriting } from './rewritten-page.ts'

const client = new DeskQueries()

watchLeaving()
watchReturning()
watchDrops()
bearRewriting()
const root = document.getElementById('desk')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Desk
          site={root.dataset.title ?? ''}
          // Written by the server.
          modules={JSON.parse(root.dataset.extensions ?? '[]') as ModuleAddress[]}
        />
      </QueryClientProvider>
    </StrictMode>,
  )
