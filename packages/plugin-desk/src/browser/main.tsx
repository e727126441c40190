import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Desk } from './desk.tsx'
import type { ModuleAddress } from './extensions/load.ts'
import { watchDrops } from './page-parts/drop-place.ts'
import { watchLeaving, watchReturning } from './page-parts/unsaved.ts'
import { mayRepeat } from './requests/api.ts'
import { bearRewriting } from './rewritten-page.ts'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: mayRepeat,
      // Browsers are wrong about connections at times: a request shows whether there is one.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
  },
})

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
